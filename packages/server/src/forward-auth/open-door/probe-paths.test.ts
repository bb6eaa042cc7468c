import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { readRules } from '../rules-file/read-rules.ts'
import { probePathsOf } from './probe-paths.ts'

const origin = 'https://grafana.example.com'
const pathsOf = async (rules: string, isOwnPage = (_: string) => false) => {
  const read = await readRules(`rules:\n${rules}`, { coverProblem: () => undefined, trustsProxies: true })
  expect(read.problems).toEqual([])
  return probePathsOf(read.rules, origin, isOwnPage)
}

test('requests the start page and an unusual path where a rule covers every path', async () => {
  expect(await pathsOf(`  - { to: ${origin}/*, allow: users }`)).toEqual(['/', '/gatehouse-probe'])
})

test('requests one path for each rule, and none that everyone may open', async () => {
  const rules = `
  - { to: ${origin}/status/*, allow: everyone }
  - { to: ${origin}/status/secret, allow: users }
  - { to: '${origin}/api/:name/(quit|reload)', allow: administrators }
  - { to: '${origin}/café', deny: true }
  - { to: ${origin}/upload, methods: POST, allow: users }
  - { to: https://other.example.com/*, allow: users }`
  expect(await pathsOf(rules)).toEqual(['/api/x/quit', '/caf%C3%A9'])
})

test('skips paths that everyone may open from some network', async () => {
  const rules = `
  - { to: ${origin}/metrics, from: 10.0.0.0/8, allow: everyone }
  - { to: ${origin}/metrics, allow: users }
  - { to: ${origin}/admin, from: 10.0.0.0/8, allow: administrators }
  - { to: ${origin}/admin, allow: everyone }
  - { to: ${origin}/logs, from: 10.0.0.0/8, allow: administrators }`
  expect(await pathsOf(rules)).toEqual(['/logs'])
})

test('skips pages of Gatehouse, which have no check', async () => {
  expect(await pathsOf(`  - { to: ${origin}/*, allow: users }`, address => address === `${origin}/`)).toEqual(['/gatehouse-probe'])
})

test('requests a limited number of paths', async () => {
  const rules = Array.from({ length: 50 }, (_, i) => `  - { to: ${origin}/${i}, allow: users }`).join('\n')
  expect(await pathsOf(rules)).toHaveLength(limits.openDoor.pathsMost)
})
