import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

// An application with the widget as another project gets it: packed, and installed with npm in a separate folder.

export const root = join(import.meta.dirname, '..')
export const run = promisify(execFile)
/** Runs a program of this workspace, such as the compiler, in a folder. */
export const node = (script: string, args: string[], cwd: string) =>
  run(process.execPath, [join(root, 'node_modules', script), ...args], { cwd })
const npm = (args: string[], cwd: string) => run('npm', [...args, '--loglevel=error'], { cwd, shell: process.platform === 'win32' })

export const compilerOptions = {
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  noUncheckedSideEffectImports: true,
  jsx: 'react-jsx',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
}

/** The compiler options for applications that a bundler builds. */
export const forBundlers = { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' }

const versionOf = async (name: string) => {
  const { version } = JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

/**
 * Creates an application in a new folder, and installs the packed widget there. The keys of `files` are paths, the values are texts.
 * @returns the folder, and the paths of the files in the package
 */
export const createPackedApp = async (files: Record<string, string>) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'))
  // Use the existing build: other tests are being served from it, so building again would break them.
  const { stdout } = await npm(
    ['pack', '--json', '--ignore-scripts', '--workspace', 'packages/sign-in', '--pack-destination', folder],
    root,
  )
  const [packed] = Object.values<{ filename: string; files: { path: string }[] }>(JSON.parse(stdout))
  const all = { 'package.json': JSON.stringify({ name: 'scratch', private: true, type: 'module' }), ...files }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const packages = await Promise.all(['react', 'react-dom', '@types/react', '@types/react-dom', 'valibot'].map(versionOf))
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed?.filename ?? ''), ...packages], folder)
  return { folder, packed: (packed?.files ?? []).map(({ path }) => path).sort() }
}

/** The complete example at the top of the widget's README. */
export const readmeExample = async () => {
  const readme = await readFile(join(root, 'packages/sign-in/README.md'), 'utf8')
  const [, example = ''] = /```tsx\n([^`]+createRoot\([^`]+)```/.exec(readme) ?? []
  return example
}
