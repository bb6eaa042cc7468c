import type { SignInBoard } from '@gatehouse/wire'
import { expect, it } from 'vitest'
import { boardFigures } from './board-figures.ts'

const board: SignInBoard = {
  zone: 'UTC',
  step: 'Hour',
  slots: ['2026-11-20T01:00:00Z', '2026-11-20T02:00:00Z'],
  series: [
    { way: 'Password', outcome: 'SignedIn', counts: [5, 1] },
    { way: 'Password', outcome: 'Passed', counts: [3, 0] },
    { way: 'TOTP', outcome: 'SignedIn', counts: [2, 0] },
    { way: 'Google', outcome: 'SignedIn', counts: [0, 4] },
    { way: 'Password', outcome: 'WrongPassword', counts: [7, 0] },
    { way: 'Password', outcome: 'Locked', counts: [0, 9] },
    { way: 'TOTP', outcome: 'Locked', counts: [1, 0] },
  ],
}

it('counts a sign-in only after its last step, and separates lockouts from failures', () => {
  const { signedIn, failed, locked, isEmpty } = boardFigures(board)
  expect({ signedIn, failed, locked, isEmpty }).toEqual({ signedIn: 12, failed: 7, locked: 10, isEmpty: false })
})

it('omits empty series from each chart, and shows totals', () => {
  const shown = boardFigures(board).figures.map(({ series, totals, total }) => [
    series.map(({ look, counts }) => [look, ...counts]),
    totals,
    total,
  ])
  expect(shown).toEqual([
    [
      [
        ['SignedIn', 7, 5],
        ['WrongPassword', 7, 0],
        ['Locked', 1, 9],
      ],
      [15, 14],
      29,
    ],
    [
      [
        ['Password', 8, 1],
        ['Google', 0, 4],
      ],
      [8, 5],
      13,
    ],
    [
      [
        ['TOTP', 2, 0],
        ['WithoutFactor', 5, 5],
      ],
      [7, 5],
      12,
    ],
  ])
})

it('shows an empty board for no sign-ins', () => {
  expect(boardFigures({ ...board, series: [] })).toMatchObject({
    isEmpty: true,
    signedIn: 0,
    figures: [{ total: 0 }, { total: 0 }, { total: 0 }],
  })
})
