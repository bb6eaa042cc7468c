import { describe, expect, test } from 'vitest'
import { type ActName, acts } from './credential-acts.ts'
import { cells, succeeds } from './credential-table.ts'
import { holdings } from './credential-victim.ts'

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
})
