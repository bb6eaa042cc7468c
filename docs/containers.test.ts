import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variableSections } from '../packages/server/src/config/variable-sections.ts'
import { limits } from '../packages/server/src/limits.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const known: string[] = variableSections.flatMap(({ variables }) => variables.map(({ name }) => name))

test.each(['Containerfile', 'docs/containers/compose.yaml'])('%s names only variables that exist', file => {
  const named = [...read(file).matchAll(/GATEHOUSE_[A-Z_]*[A-Z]/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(name => !known.includes(name))).toEqual([])
})

test('the image runs as a user without privileges, on the Node that the package needs, and reports its health', () => {
  const image = read('Containerfile')
  expect(image).toMatch(/^ARG NODE_IMAGE=docker\.io\/library\/node:24-slim$/m)
  const last = image.slice(image.lastIndexOf('FROM '))
  expect(last).toMatch(/^USER 1000:1000$/m)
  expect(last).toMatch(/^HEALTHCHECK .*\n.*\/healthz/m)
  expect(last).toMatch(/^VOLUME \/data$/m)
  expect(last).not.toMatch(/^RUN /m)
})

test('the compose file makes the root read-only, drops all capabilities, and waits for the drain time', () => {
  const compose = read('docs/containers/compose.yaml')
  expect(compose).toMatch(/^ {4}read_only: true$/m)
  expect(compose).toMatch(/^ {4}cap_drop: \[ALL\]$/m)
  expect(compose).toContain("security_opt: ['no-new-privileges:true']")
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(compose) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(limits.stop.drain + 10_000)
})
