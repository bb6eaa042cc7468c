import { describe, expect, it } from 'vitest'
import type { Load } from './page-load.ts'
import { bars, gates, report } from './page-report.ts'
import type { Run } from './page-results.ts'

const load = (more: Partial<Load> = {}): Load => ({
  paint: 300,
  largest: 300,
  visible: 300,
  usable: 300,
  hydrated: null,
  blocked: 0,
  busy: 100,
  heap: 1e6,
  shift: 0,
  wiped: 0,
  errors: [],
  ...more,
})

const run = (ours: Partial<Load>, lost = 0): Run => ({
  at: '2026-11-20T00:00:00.000Z',
  machine: 'a machine',
  rounds: 3,
  looks: { ours: { bytes: 80_000, requests: 6, firstBytes: 70_000, firstRequests: 2, violations: [], errors: [], packages: 3 } },
  loads: {
    // Each round is slower than the one before, but a ratio compares values of the same round.
    ours: [1, 2, 3].map(round => load({ usable: 330 * round, hydrated: 800 * round, ...ours })),
    'floor-static': [1, 2, 3].map(round => load({ usable: 300 * round })),
    'floor-prerender': [1, 2, 3].map(round => load({ usable: 310 * round })),
    'baseline-react': [1, 2, 3].map(round => load({ usable: 760 * round, hydrated: 750 * round })),
  },
  typing: {
    ours: [
      { typed: 100, lost: 0 },
      { typed: 100, lost },
    ],
  },
})

const missed = (of: Run) => gates(of).flatMap(({ what, holds }) => (holds ? [] : [what]))

describe('report', () => {
  it('names the number of rounds, and of loads of Gatehouse if there are more', () => {
    const slow = run({})
    expect(report({ slow })).toContain('.** 3 rounds, a machine')
    const ours = [...(slow.loads.ours ?? []), ...(slow.loads.ours ?? [])]
    expect(report({ slow: { ...slow, loads: { ...slow.loads, ours } } })).toContain(
      '.** 3 rounds (6 of Gatehouse and the bare forms), a machine',
    )
  })
})

describe('limits of the sign-in page', () => {
  it('hold for a fast page', () => expect(missed(run({}))).toEqual([]))

  it.each([
    ['Hydrated', run({ hydrated: 1700 })],
    ['Main thread', run({ blocked: 61 })],
    ['JavaScript heap', run({ heap: 1_810_000 })],
    ['Layout shift', run({ shift: 0.001 })],
    ['Characters lost', run({}, 1)],
    ['Errors', run({ errors: ['Minified React error #418'] })],
  ])('%s over the limit is the only reported problem', (what, of) => {
    const [only, ...more] = missed(of)
    expect(only).toContain(what)
    expect(more).toEqual([])
  })

  it('a slow page misses the limits relative to plain HTML and to prerendered React', () => {
    expect(missed(run({ usable: 700 }))).toEqual(['Usable, relative to plain HTML', 'Usable, relative to prerendered React'])
  })

  it('a missing measurement misses its limit', () => {
    expect(missed({ ...run({}), typing: {} })).toEqual(['Characters lost in any load'])
  })
})

it('reports each target in the tables and as a bar', () => {
  const text = report({ slow: run({}) })
  expect(text).toMatch(/\| Gatehouse +\|.*\| +1\.10 \| +1\.06 \|.*\| +1\.07 \|/)
  expect(text).not.toContain('**no**')
  expect(bars(run({})).map(({ name, value, ours }) => [name, value, ours])).toEqual([
    ['a bare form, plain HTML', 600, false],
    ['a bare form, React 19, prerendered', 620, false],
    ['Gatehouse', 660, true],
    ['a bare form, React 19', 1520, false],
  ])
})
