import type { Activity } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { entriesOf } from './activity-entries.ts'

type Row = Activity['rows'][number]

const here = { address: '192.168.1.20', place: 'Here', browser: 'Firefox', system: 'Linux' } as const
const row = (kind: Row['kind'], minute: number, from: Row['from'] = here): Row => ({ kind, at: `2026-11-20T03:0${minute}:00.000Z`, from })
const summary = (rows: Row[]) => entriesOf(rows).map(({ kind, count, at, first }) => [kind, count, at.slice(14, 16), first.slice(14, 16)])

test('combines administrator actions in a row, and keeps the times of the newest and the oldest', () => {
  expect(summary([row('Administered', 5), row('Administered', 4), row('Administered', 2), row('SignedIn', 1)])).toEqual([
    ['Administered', 3, '05', '02'],
    ['SignedIn', 1, '01', '01'],
  ])
})

test('does not combine other events, or actions with another event between them', () => {
  expect(summary([row('PasswordWrong', 5), row('PasswordWrong', 4)])).toHaveLength(2)
  expect(summary([row('Administered', 5), row('PasswordChanged', 4), row('Administered', 3)])).toHaveLength(3)
})

test('does not combine actions from different places', () => {
  expect(summary([row('Administered', 5), row('Administered', 4, { ...here, address: '203.0.113.7', place: 'Elsewhere' })])).toHaveLength(2)
  expect(summary([row('Administered', 5), row('Administered', 4, { ...here, browser: 'Safari' })])).toHaveLength(2)
})
