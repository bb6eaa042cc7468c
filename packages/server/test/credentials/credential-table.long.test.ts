import { describe, expect, test } from 'vitest'
import type { ActName } from './credential-acts.ts'
import { cells, meaning, succeeds } from './credential-table.ts'
import { exclusive, type Holding, holdings } from './credential-victim.ts'

describe('MF-12: each cell of the table in docs/security.md matches the server, alone and with each other holding', () => {
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
