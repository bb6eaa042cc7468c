import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { npm } from './npm.ts'

test('runs npm with the Node of the benchmark, not with the first one in the PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-npm-'))
  const path = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = path
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho \'{"node":"20.0.0","modules":"115"}\'\n')
  chmodSync(join(folder, 'node'), 0o755)
  process.env.PATH = `${folder}${delimiter}${path}`
  const { status, stdout } = npm(['version', '--json'], folder)
  const { node, modules } = JSON.parse(stdout)
  expect([status, node, modules]).toEqual([0, process.versions.node, process.versions.modules])
})
