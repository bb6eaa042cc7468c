import { routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { prepareFindSession } from '../../src/sessions/sessions.store.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, startServer } from '../support/harness.ts'
import { createNotes } from '../support/statement-notes.ts'

// Counts the statements of the most frequent calls. Each is a round trip to the database, unless it is joined to the next one on
// PostgreSQL. The BEGIN and COMMIT of a sign-in's transaction are not counted.

test('checks a session with one read, and signs in by password with eight statements', async () => {
  const notes = createNotes()
  const server = await startServer({ watch: notes.watch, env: { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' } })
  await server.addUser()
  const browser = server.openBrowser()
  const reads = ['select factors', 'select users']
  const signIn = ['insert failed_logins', 'select users', ...reads, 'delete failed_logins', 'insert known_browsers']
  const issue = ['insert hand_overs', 'insert audit']
  const ofSignIn = async () => {
    const all = await notes.of(() => browser.signIn())
    // Of these pairs, both leave together, and the result of either may be there first.
    return [...all.slice(0, 2).sort(), ...all.slice(2, 4).sort(), ...all.slice(4)]
  }
  // From a new browser, then from the same one.
  for (let i = 0; i < 2; i++) expect(await ofSignIn()).toEqual([...signIn, ...issue])
  const outcome = await browser.signIn()
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  expect(await notes.of(() => browser.call(routes.plowlogin, outcome.contents))).toEqual([
    'update hand_overs',
    'insert sessions',
    'delete sessions',
    'insert audit',
  ])
  expect(await notes.of(() => browser.call(routes.sessionCheck, {}))).toEqual(['select sessions'])
  const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/' }
  expect(await notes.of(() => browser.get('/auth/request', asked))).toEqual(['select sessions'])
  // The check by the cookie for protected hosts also takes one read.
  const domain = { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com', GATEHOUSE_COOKIE_DOMAIN: 'example.com' }
  const beside = await startServer({ watch: notes.watch, env: { ...domain, GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.com' } })
  await beside.addUser()
  const visitor = beside.openBrowser()
  await visitor.enter()
  const otherHost = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'grafana.example.com', 'x-forwarded-uri': '/' }
  expect(await notes.of(async () => expect((await visitor.get('/auth/request', otherHost)).statusCode).toBe(200))).toEqual([
    'select sessions',
  ])
  // Concurrent checks share one read.
  const find = prepareFindSession(notes.watch(server.db))
  expect(await notes.of(() => Promise.all(Array.from({ length: 12 }, () => find(`${'a'.repeat(22)}.b`, 0))))).toEqual(['select sessions'])
  if (inject('postgres')) {
    const prepared = await sql<{ name: string }>`select name from pg_prepared_statements order by name`.execute(server.db)
    expect(prepared.rows.map(row => row.name)).toEqual([
      'clear-attempts',
      'confirm-password',
      'count-attempt',
      'find-for-attempt',
      'find-sessions-1',
      'find-sessions-16',
      'issue-hand-over',
      'list-factor-types',
      'record-audit',
      'remember-browser',
    ])
  }
  // A refusal runs the same statements for existing and unknown usernames.
  const refusals = [ada.username, 'nobody@example.com'].map(username => ({ username, password: 'a wrong password' }))
  for (const refusal of refusals)
    expect(await notes.of(() => server.openBrowser().signIn(refusal))).toEqual(['select users', 'insert failed_logins', 'insert audit'])
})

test('takes ten statements for a password that requires a code, and nineteen for the code', async () => {
  const notes = createNotes()
  const server = await startServer({ watch: notes.watch, env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  expect((await notes.of(() => browser.signIn())).length).toBe(10)
  const otpVerification = await codeAt(secret, server.clock.at)
  // One of the nineteen looks for a pending replacement factor, whose code would complete the replacement.
  expect((await notes.of(() => browser.call(routes.verifyOTP, { ...otpOf(ada), otpVerification }))).length).toBe(19)
})
