import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../packages/server/src/limits.ts'

const page = readFileSync(join(import.meta.dirname, 'operating.md'), 'utf8')

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Counts are as they are, durations in the largest unit that divides them. */
const isCount =
  /guesses$|guessesShort$|Most$|bytes$|Bytes$|most$|quick$|all$|Cost$|From$|Every$|count$|perUser$|PerSlot$|BesideCores$|window$|parallelism$|threadNiceness|minCodePoints|mailbox$|wrongFirstCodes$|nameLength$|perPage$|sinceSuccess$|denied$|unanswered$|perAddress$|frames$|siteTimes$|^rates\.buckets/
const inWords = (name: string, value: number): string => {
  if (isCount.test(name) && !/noticeEvery$|seenEvery$/.test(name)) return String(value)
  const [unit, size] = units.find(([, size]) => value % size === 0) ?? ['ms', 1]
  return `${value / size} ${unit}`
}

const flatten = (of: object, path: string[] = []): [string, number][] =>
  Object.entries(of).flatMap(([key, value]) =>
    typeof value === 'object' ? flatten(value, [...path, key]) : [[[...path, key].join('.'), value] as [string, number]],
  )

test('DOC-1: the page of limits says what the code does, and leaves nothing out', () => {
  const said = Object.fromEntries([...page.matchAll(/^\| `([\w.]+)` \| ([^|]+) \|/gm)].map(([, name, value]) => [name, value?.trim()]))
  // What only paces the rotation of keys limits nobody.
  const known = flatten(limits).filter(([name]) => !name.startsWith('masterKey.'))
  expect(said).toEqual(Object.fromEntries(known.map(([name, value]) => [name, inWords(name, value)])))
})
