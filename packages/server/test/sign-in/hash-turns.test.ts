import { accountRoutes, pushRoutes, routes } from '@gatehouse/wire'
import type { KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { startIdentityProvider } from '../sso/identity-provider.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'

/** Records for each statement whether its request holds a hashing slot. */
const createNotes = (hasTurn: () => boolean) => {
  const names = new WeakMap<object, string>()
  const asked: { statement: string; inTurn: boolean }[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const [, table = ''] = /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node)) ?? []
      names.set(queryId, `${node.kind.replace('QueryNode', '').toLowerCase()} ${table}`)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      asked.push({ statement: names.get(queryId) ?? 'unknown', inTurn: hasTurn() })
      return result
    },
  }
  /** A request's statements from its first counted password attempt on. */
  const sinceCount = async (request: () => Promise<unknown>) => {
    asked.length = 0
    await request()
    return asked.slice(asked.findIndex(({ statement }) => statement === 'insert failed_logins'))
  }
  return { plugin, sinceCount }
}

// A request that waits for a slow database keeps its slot, so the server refuses others before it counts their attempts.
test('CC-02: a request keeps its hashing slot until it is answered, except while the server contacts a provider', async () => {
  let running = () => 0
  const notes = createNotes(() => running() === 1)
  const idp = await startIdentityProvider()
  onTestFinished(idp.stop)
  const env = { ...idp.env('GOOGLE'), GATEHOUSE_SECOND_FACTOR: 'skippable' }
  const server = await startServer({ env, watch: db => db.withPlugin(notes.plugin) })
  running = () => server.passwords.figures().running
  await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  const code = async () => {
    server.clock.advance(minutes(1))
    return codeAt(secret, server.clock.at)
  }
  const { username, password } = ada
  const newcomer = { username: 'grace@example.com', password: 'another long password' }
  const post = (path: string, body: object, from: Browser = browser) => from.send('POST', path, body)

  const requests: Record<string, () => Promise<unknown>> = {
    'a wrong password': () => server.openBrowser().signIn({ username, password: 'a wrong password' }),
    'an unknown username': () => server.openBrowser().signIn({ username: 'nobody@example.com', password }),
    'a right password': () => server.openBrowser().signIn(),
    'the offer of a second factor': () => server.openBrowser().signIn(newcomer),
    'a right code': async () => post(routes.verifyOTP.path, { ...otpOf(ada), otpVerification: await code() }),
    'a wrong code': async () => post(routes.verifyOTP.path, { ...otpOf(ada), otpVerification: ((await code()) + 1) % 1_000_000 }),
    'a missing phone approval': () => post(routes.verifyOTP.path, otpOf(ada)),
    'a wrong recovery code': () => post(routes.recoveryCode.path, { ...otpOf(ada), otpRecoveryCode: 'aaaa-aaaa-aaaa-aaaa' }),
    'a set-up that is over': () => post(routes.setupOTP.path, { ...otpOf(ada), otpFactorUUID: '00000000-0000-4000-8000-000000000000' }),
    'a factor reset': () => post(routes.resetOTP.path, otpOf(ada)),
    'a phone approval': () => post(pushRoutes.pushChallenge.path, otpOf(ada)),
    'a confirmed password': () => post(accountRoutes.userPasswordConfirm.path, { password }),
    'a change of address': () => post(accountRoutes.userEmailChange.path, { newemail: 'countess@example.com', password }),
    'an unlinked provider': () => post(accountRoutes.userProviderUnlink.path, { provider: 'Google', password }),
    'a change of password': () => {
      const change = { useridentity: username, oldpassword: password, newpassword: 'a long new password' }
      return post(accountRoutes.userPasswordReset.path, change)
    },
  }
  await server.addUser(newcomer)
  for (const [name, request] of Object.entries(requests)) {
    const statements = await notes.sinceCount(request)
    expect([name, statements[0]?.statement, statements.filter(({ inTurn }) => !inTurn)]).toEqual([name, 'insert failed_logins', []])
    expect([name, running()]).toEqual([name, 0])
  }

  // While the server contacts the provider, the request holds no slot.
  const link = { provider: 'Google', password: 'a long new password' }
  const linked = await notes.sinceCount(async () => expect((await post(accountRoutes.userProviderLink.path, link)).statusCode).toBe(200))
  expect(linked[0]).toEqual({ statement: 'insert failed_logins', inTurn: true })
  expect(linked.filter(({ inTurn }) => !inTurn).map(({ statement }) => statement)).toEqual(['insert sso_journeys'])
})
