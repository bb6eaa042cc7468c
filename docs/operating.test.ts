import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../packages/server/src/limits.ts'

const page = readFileSync(join(import.meta.dirname, 'operating.md'), 'utf8')
const limitsPage = readFileSync(join(import.meta.dirname, 'limits.md'), 'utf8')

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Counts are plain numbers; durations are in the largest unit that divides them. */
const isCount =
  /guesses$|guessesShort$|Most$|bytes$|Bytes$|most$|quick$|all$|Cost$|From$|Every$|count$|perUser$|PerSlot$|BesideCores$|window$|parallelism$|threadNiceness|minCodePoints|mailbox$|wrongFirstCodes$|nameLength$|addressLength$|perPage$|sinceSuccess$|denied$|unanswered$|perAddress$|frames$|siteTimes$|flows$|kept$|^pass\.(services|scopes)$|usersAtOnce$|^rates\.buckets/
const inWords = (name: string, value: number): string => {
  if (isCount.test(name) && !/noticeEvery$|seenEvery$|usedEvery$/.test(name)) return String(value)
  const [unit, size] = units.find(([, size]) => value % size === 0) ?? ['ms', 1]
  return `${value / size} ${unit}`
}

const flatten = (of: object, path: string[] = []): [string, number][] =>
  Object.entries(of).flatMap(([key, value]) =>
    typeof value === 'object' ? flatten(value, [...path, key]) : [[[...path, key].join('.'), value] as [string, number]],
  )

test('DOC-1: docs/limits.md lists every limit with its value', () => {
  const said = Object.fromEntries(
    [...limitsPage.matchAll(/^\| `([\w.]+)` \| ([^|]+) \|/gm)].map(([, name, value]) => [name, value?.trim()]),
  )
  // Not a limit for users: these settings pace the key rotation.
  const known = flatten(limits).filter(([name]) => !name.startsWith('masterKey.'))
  expect(said).toEqual(Object.fromEntries(known.map(([name, value]) => [name, inWords(name, value)])))
})

test('DOC-2, DOC-1: each AAL2 row requires passkeys, and the page says that no sign-in reaches AAL2 without them', () => {
  const rows = [...page.matchAll(/^\| ([^|]+) \| (AAL\d|none) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, path, level, condition, session]) => ({
    path,
    level,
    condition: condition?.trim(),
    session: session?.trim(),
  }))
  expect(rows).toHaveLength(11)
  const { idle, absolute } = limits.session
  for (const row of rows) {
    expect(row.session).toBe(`${idle / 3_600_000} h idle, ${absolute / 3_600_000} h at most`)
    if (row.level === 'AAL2') expect(row.condition).toContain('passkeys are on')
    else expect(row).toMatchObject({ level: expect.stringMatching(/^(AAL1|none)$/), condition: '–' })
  }
  expect(page.replace(/\s+/g, ' ')).toContain('**While passkeys are off, no sign-in reaches AAL2**')
})

test('DOC-2: only the listed files mention an assurance level, and neither the widget nor the portal claims phishing resistance', () => {
  const root = join(import.meta.dirname, '..')
  const files = [
    'README.md',
    ...['docs', 'packages'].flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
    ),
  ].filter(
    file =>
      /\.(md|tsx?|html|css|json)$/.test(file) && !/node_modules|[\\/]dist[\\/]|[\\/]decisions[\\/]|\.test\.tsx?$|[\\/]test[\\/]/.test(file),
  )
  const saying = (claim: RegExp) => files.filter(file => claim.test(readFileSync(join(root, file), 'utf8'))).sort()
  expect(saying(/\bAAL ?\d|assurance level/i)).toEqual([
    'docs/operating.md',
    'docs/security-coverage.md',
    'docs/security-requirements.json',
    // The file reads a claim of the provider. The server compares it but never forwards it.
    'packages/server/src/sso/openid.ts',
  ])
  // Skip the server's sources, which name the phishing-resistant policy. The widget and the portal are other packages.
  const claims = saying(/phishing[- ]resistan/i).filter(file => !file.startsWith(join('packages', 'server', 'src')))
  expect(claims).toEqual([
    'docs/configuration.md',
    'docs/operating.md',
    'docs/passkeys.md',
    'docs/protecting/README.md',
    'docs/protecting/rules.md',
    'docs/security-coverage.md',
    'docs/security-requirements.json',
  ])
})
