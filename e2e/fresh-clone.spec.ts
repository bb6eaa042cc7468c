import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { copyProject } from './project-copy.ts'

// A contributor clones the project, and packs its packages with their own Node and npm.
const exec = promisify(execFile)

const run = (program: string, args: string[], cwd: string, bin?: string) => {
  const { NODE_ENV: _, npm_execpath: __, ...env } = process.env
  const PATH = [...(bin ? [bin] : []), env.PATH ?? ''].join(delimiter)
  return exec(program, args, { cwd, env: { ...env, PATH }, shell: process.platform === 'win32', maxBuffer: 2 ** 26 })
}

test.describe('@long', () => {
  test.describe.configure({ timeout: 900_000 })

  for (const version of ['', '20']) {
    test(`npm run pack works on a fresh clone${version && `, even after npm ci under Node ${version}`}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-clone-'))
      try {
        await copyProject(folder)
        let bin: string | undefined
        if (version) {
          const old = join(folder, '.tools/old')
          await mkdir(old, { recursive: true })
          await writeFile(join(old, 'package.json'), '{ "private": true }')
          await run('npm', ['install', '--no-save', '--loglevel=error', `node@${version}`, 'npm@10'], old)
          bin = join(old, 'node_modules/.bin')
          expect((await run('node', ['--version'], folder, bin)).stdout).toMatch(/^v20\./)
          await run('npm', ['ci', '--loglevel=error'], folder, bin)
        }
        await run('npm', ['run', 'pack', '--', 'sign-in', 'wire'], folder, bin)
        const made = (await readdir(folder)).filter(name => name.endsWith('.tgz')).sort()
        expect(made).toEqual(['gatehouse-sign-in-0.1.0.tgz', 'gatehouse-wire-0.1.0.tgz'])
        const scratch = await mkdtemp(join(folder, 'scratch-'))
        await writeFile(join(scratch, 'package.json'), '{ "private": true, "type": "module" }')
        await run('npm', ['install', '--loglevel=error', ...made.map(name => join(folder, name)), 'react@19', 'react-dom@19'], scratch, bin)
        const script = `import { isUUID } from '@gatehouse/wire'
          import { SignIn } from '@gatehouse/sign-in'
          console.log(typeof isUUID, typeof SignIn)`
        const { stdout } = await run('node', ['--input-type=module', '--eval', script], scratch, bin)
        expect(stdout).toBe('function function\n')
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
})
