import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startWithProvider } from '../sso/sso-sign-in.ts'
import { type ActName, acts, exclusive, type Holding, holdings, tryEverything } from './credential-attacker.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/security.md'), 'utf8')

/** The cells of the first table in docs/security.md: act, holding and verdict. The page has another table of attacks on mailed codes. */
const cells = () => {
  const [, section = ''] = page.split(/^## /m)
  const [heads = [], , ...rows] = section
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.split('|').slice(1, -1))
  return rows.flatMap(([act = '', ...said]) =>
    said.map((text, i) => ({ act: act.trim(), holding: (heads[i + 1] ?? '').trim().toLowerCase(), says: text.trim() })),
  )
}

/** Whether a holding suffices alone, or together with which others. */
const meaning = (says: string) => ({
  alone: says === 'yes',
  with: says.startsWith('with ') ? says.slice('with '.length).split(', ') : [],
})

const tried = new Map<string, ReadonlySet<ActName>>()
/** Tries each set of holdings once; later tests reuse the result. */
const succeeds = async (act: ActName, held: Holding[]) => {
  const key = held.toSorted().join()
  const found = tried.get(key) ?? (await tryEverything(await startInstallation(), new Set(held)))
  tried.set(key, found)
  return found.has(act)
}
const startInstallation = () =>
  startWithProvider({ as: ['GOOGLE', 'AZURE', 'PAK'], env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_SSO_TRUSTED: 'azure' } })

test('MF-12: documents every act and every holding in docs/security.md', () => {
  const expected = Object.keys(acts).flatMap(act => holdings.map(holding => `${act}: ${holding}`))
  expect(cells().map(({ act, holding }) => `${act}: ${holding}`)).toEqual(expected)
  for (const { says } of cells()) expect(says).toMatch(/^(yes|no|with [a-z ]+(, [a-z ]+)*)$/)
})

describe('MF-12: the table in docs/security.md matches the server', () => {
  for (const held of holdings)
    test(`${held} alone`, async () => {
      const enough = cells().filter(({ holding, says }) => holding === held && says === 'yes')
      for (const act of Object.keys(acts) as ActName[])
        expect([act, await succeeds(act, [held])]).toEqual([act, enough.some(cell => cell.act === act)])
    })

  for (const { act, holding, says } of cells())
    test(`${act}, with ${holding}: ${says}`, async () => {
      const [name, held] = [act as ActName, holding as Holding]
      const cell = meaning(says)
      expect(await succeeds(name, [held])).toBe(cell.alone)
      const partners: string[] = []
      for (const other of holdings) {
        if (other === held || exclusive.some(pair => pair.includes(held) && pair.includes(other))) continue
        if (await succeeds(name, [other])) continue
        if (await succeeds(name, [held, other])) partners.push(other)
      }
      expect(cell.alone ? [] : partners).toEqual(cell.alone ? [] : cell.with)
    })
})
