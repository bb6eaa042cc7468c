import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { englishAdministration } from '../packages/portal/src/messages/en-administration.ts'
import { secondFactorType } from '../packages/wire/src/index.ts'

const { audit, mails: mailTexts } = englishAdministration
/** Each `clock` text covers two codes: the wrong code and the phone's wrong clock. */
const resultTexts: Record<string, unknown> = { ...audit.results, ...audit.clock }

const serverSource = (file: string) => readFileSync(join(import.meta.dirname, '../packages/server/src', file), 'utf8')

/** The source of a type, up to the next empty line or the end of the file. */
const typeSource = (name: string, file = 'audit/audit-events.ts'): string => {
  const [, source] = new RegExp(`^(?:export )?type ${name} =([\\s\\S]*?)\\n(?:\\n|$(?![\\s\\S]))`, 'm').exec(serverSource(file)) ?? []
  if (source === undefined) throw new Error(`${file} has no type ${name}`)
  return source
}

/** The string literals of a union, and the fixed start of each template literal. */
const codesOf = (source: string): string[] =>
  [...source.replace(/\['\w+'\]/g, '').matchAll(/'([^']+)'|[`}](?:: )?([a-z][a-z ]*): \$\{/g)].map(
    ([, literal, prefix]) => literal ?? prefix ?? '',
  )

const events = codesOf(typeSource('AuditEvent'))
const usedFactors = [...secondFactorType.options, ...codesOf(typeSource('UsedFactor', 'db/used-factor.ts'))]
const results = [...['Code', 'StepResult', 'ProviderResult', 'AuditResult'].flatMap(name => codesOf(typeSource(name))), ...usedFactors]
const providers = ['google', 'azure', 'pak', 'Google', 'Azure', 'Pak', 'by google', 'by azure', 'by pak']
/** Read from the `switch` cases: the compiler already requires a case for every kind of email. */
const mails = [...serverSource('mail/messages.ts').matchAll(/^ {4}case '([^']+)':$/gm)].map(([, kind = '']) => kind)

test('the administration page has words for every event that the server can record', () => {
  expect(events.length).toBeGreaterThan(40)
  expect(events.filter(event => !audit.events[event])).toEqual([])
})

test('the administration page has words for every result that the server can record', () => {
  expect(results.length).toBeGreaterThan(45)
  expect(results).toEqual(
    expect.arrayContaining([
      'successful',
      'not linked',
      'enrolment',
      'expired',
      'wrong-password',
      'TOTP',
      'Push',
      'RecoveryCode',
      'Provider',
    ]),
  )
  expect([...results, ...providers].filter(code => !resultTexts[code])).toEqual([])
})

test('the administration page has words for every kind of email', () => {
  expect(mails.length).toBeGreaterThan(20)
  expect(mails.filter(kind => !mailTexts.kinds[kind])).toEqual([])
})
