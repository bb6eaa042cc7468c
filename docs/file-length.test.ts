import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const most = 350

test(`no file of code, tests or styles has more than ${most} lines`, () => {
  const code = ['ts', 'tsx', 'mts', 'mjs', 'js', 'jsx', 'css', 'vue', 'svelte'].map(extension => `*.${extension}`)
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...code]
  const { stdout } = spawnSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  const files = stdout.split('\0').filter(file => file && existsSync(join(root, file)))
  expect(files.length).toBeGreaterThan(1000)
  const lengths = files.map(file => ({ file, lines: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }))
  expect(lengths.filter(({ lines }) => lines > most)).toEqual([])
})
