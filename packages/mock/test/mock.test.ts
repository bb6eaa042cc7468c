import { checkServer, readTarget } from '@gatehouse/conformance'
import { AuthOutcome, decode, pages, type Route, routes, socketsPath } from '@gatehouse/wire'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { calls } from '../src/calls.ts'
import { readScenario, startMock } from '../src/index.ts'

let mock: Awaited<ReturnType<typeof startMock>>
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())
beforeEach(() => mock.reset())

const json = { 'content-type': 'application/json' }
const login = { username: 'ada@example.com', password: 'x', useragent: '' }
const signIn = (headers: Record<string, string> = {}, query = '', base = mock.url) =>
  fetch(base + routes.getAuthTokenWithError.path + query, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(login) })
const tagOf = async (answer: Response) => ((await answer.json()) as { tag: string }).tag

const startWith = async (file: unknown) => {
  const scenario = readScenario(file)
  if (!scenario.ok) throw new Error(scenario.error)
  const started = await startMock({ scenario: scenario.value })
  onTestFinished(() => started.close())
  return started
}

describe('the calls', () => {
  test('have unique names and a usual outcome, and every success decodes', () => {
    expect(calls.length).toBeGreaterThan(80)
    expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length)
    const generic = ['unknown-tag', 'not-json', 'empty-body', 'dropped', 'cut', 'unanswered']
    for (const { name, route, outcomes, usual } of calls) {
      expect(outcomes.has(usual), name).toBe(true)
      const shaped = [...outcomes].filter(([outcome, { status }]) => status === 200 && !generic.includes(outcome))
      expect(shaped.length, name).toBeGreaterThan(0)
      for (const [outcome, { body }] of shaped) expect([name, outcome, decode(route.response, body).ok]).toEqual([name, outcome, true])
      expect(decode(route.response, outcomes.get('unknown-tag')?.body).ok && route.response.name !== 'Nothing', name).toBe(false)
    }
  })

  test('offer every case of AuthOutcome for verifyOTP', () => {
    const tags = [...(calls.find(({ name }) => name === 'verifyOTP')?.outcomes.keys() ?? [])]
    expect(tags).toEqual(
      expect.arrayContaining(['AuthSuccessful', 'AuthRequires2FA', 'AuthRequiresFactorCreation', 'AuthRequiresFactorReset']),
    )
    expect(tags).toEqual(
      expect.arrayContaining(['AuthFailureFailedLogin', 'AuthFailureForcedReset', 'AuthFailureFactorError.StoreError.StoreLocked']),
    )
  })
})

describe('the outcome of a call', () => {
  test('is a success by default, and a header says that this is not a server', async () => {
    const answer = await signIn()
    expect(answer.headers.get('x-gatehouse-mock')).toContain('not a server')
    expect(decode(AuthOutcome, await answer.json())).toMatchObject({ ok: true, value: { tag: 'AuthSuccessful' } })
  })

  test('can be chosen by a query, by a header, and for later calls by the page', async () => {
    expect(await tagOf(await signIn({}, '?outcome=AuthRequires2FA'))).toBe('AuthRequires2FA')
    expect(await tagOf(await signIn({ 'x-gatehouse-mock': 'outcome=AuthFailureForcedReset; delay=1' }))).toBe('AuthFailureForcedReset')
    await fetch(`${mock.url}/mock/choose`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ call: 'getAuthTokenWithError', outcome: 'AuthFailureFailedLogin' }),
    })
    for (let i = 0; i < 2; i++) expect(await tagOf(await signIn())).toBe('AuthFailureFailedLogin')
    mock.reset()
    expect(await tagOf(await signIn())).toBe('AuthSuccessful')
    const wrong = await signIn({}, '?outcome=Nothing')
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('it has AuthFailureFactorError')])
  })

  test('can be chosen by a scenario: in order, with delays, failures and literal responses', async () => {
    const started = await startWith({
      delay: 1,
      calls: {
        getAuthTokenWithError: ['AuthFailureFailedLogin', { outcome: 'AuthRequires2FA', delay: 60 }, 'too-many'],
        plowlogin: { status: 418, body: { error: 'x' }, headers: { 'x-test': '1' } },
        verifyOTP: ['dropped'],
      },
    })
    expect(await tagOf(await signIn({}, '', started.url))).toBe('AuthFailureFailedLogin')
    const start = performance.now()
    expect(await tagOf(await signIn({}, '', started.url))).toBe('AuthRequires2FA')
    expect(performance.now() - start).toBeGreaterThanOrEqual(55)
    for (let i = 0; i < 2; i++) {
      const limited = await signIn({}, '', started.url)
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5'])
    }
    const call = (route: Route, body: unknown) =>
      fetch(started.url + route.path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    const written = await call(routes.plowlogin, { authTokenSelector: 'a', authTokenToken: 'b' })
    expect([written.status, written.headers.get('x-test')]).toEqual([418, '1'])
    await expect(call(routes.verifyOTP, { otpUsername: 'a@b.c', otpPassword: 'x' })).rejects.toThrow()
    expect(started.received.map(({ call, outcome }) => `${call} ${outcome}`)).toEqual([
      'getAuthTokenWithError AuthFailureFailedLogin',
      'getAuthTokenWithError AuthRequires2FA',
      'getAuthTokenWithError too-many',
      'getAuthTokenWithError too-many',
      'plowlogin written out',
      'verifyOTP dropped',
    ])
  })

  test.each([
    [{ calls: { signIn: 'AuthSuccessful' } }, 'signIn: there is no such call'],
    [{ calls: { verifyOTP: ['AuthSuccess'] } }, 'verifyOTP: there is no outcome AuthSuccess'],
    [{ calls: { verifyOTP: [{ delay: -1 }] } }, 'decodeScenario: '],
    [{ sockets: [{ after: 1, message: { tag: 'Hello' } }] }, 'sockets: decodeSocketMessage: /tag: Unknow tag'],
    [{ scenes: {} }, 'decodeScenario: /scenes: is not a known field'],
  ])('cannot be chosen by a scenario file with a mistake: %j', (file, error) => {
    expect(readScenario(file)).toEqual({ ok: false, error: expect.stringContaining(error) })
  })
})

describe('the mock', () => {
  test('refuses what the wire format refuses', async () => {
    const post = (body: string, headers: Record<string, string> = json) =>
      fetch(mock.url + routes.getAuthTokenWithError.path, { method: 'POST', headers, body })
    expect((await post('{"username":"a"}')).status).toBe(400)
    expect((await post('half')).status).toBe(400)
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(`"${'x'.repeat(70_000)}"`)).status).toBe(413)
    const get = await fetch(mock.url + routes.getAuthTokenWithError.path)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.each(['plowlogin', 'loginWithToken', 'handOver', 'the token page'] as const)(
    '%s starts a session, which sessionCheck recognizes until the user signs out',
    async way => {
      const post = (route: Route, body: unknown, cookie = '') =>
        fetch(mock.url + route.path, { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify(body) })
      const check = async (cookie?: string) => (await post(routes.sessionCheck, {}, cookie)).json()
      const token = { authTokenSelector: 'a', authTokenToken: 'b' }
      const entered = await (way === 'the token page' ? fetch(mock.url + pages.token('a', 'b')) : post(routes[way], token))
      const cookie = entered.headers.getSetCookie()[0] ?? ''
      expect([entered.status, cookie]).toEqual([200, 'gatehouse-mock-session=mock; Path=/; HttpOnly; SameSite=Lax'])
      expect([await check(cookie), await check()]).toEqual([{ signedIn: true }, { signedIn: false }])
      const left = await post(routes.logoutBySelf, {}, cookie)
      expect(left.headers.getSetCookie()).toEqual(['gatehouse-mock-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'])
    },
  )

  test('a refused hand-over starts no session', async () => {
    const refused = await fetch(`${mock.url}${routes.handOver.path}?outcome=signed-out`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ authTokenSelector: 'a', authTokenToken: 'b' }),
    })
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
  })

  test('serves the token page', async () => {
    expect(await (await fetch(mock.url + pages.token('a', 'b'))).text()).toContain('This is a mock')
  })

  test('lets pages of this machine read responses, and no others', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://app.localhost:8000', 'http://[::1]:5173']) {
      const answer = await signIn({ origin })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    }
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example'])
      expect([(await signIn({ origin })).status, origin]).toEqual([403, origin])
    const preflight = await fetch(mock.url + routes.verifyOTP.path, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('content-type'),
    ])
  })

  test('sends the messages of its scenario on sockets, and closes them', async () => {
    const started = await startWith({
      sockets: [
        { after: 5, message: { tag: 'SessionEnded' } },
        { after: 10, close: 1001 },
      ],
    })
    const socket = new WebSocket(started.url.replace('http', 'ws') + socketsPath)
    const messages: unknown[] = []
    socket.on('message', data => messages.push((JSON.parse(String(data)) as { tag: string }).tag))
    expect(await new Promise(resolve => socket.on('close', resolve))).toBe(1001)
    expect(messages).toEqual(['Nonce', 'SessionEnded'])
  })
})

test('the conformance checks fail where the mock does not behave like a server', async () => {
  const account = { username: 'ada@example.com', password: 'x' }
  const target = readTarget(mock.url, {
    accounts: { password: account, totp: { ...account, secret: 'JBSWY3DPEHPK3PXP' }, lockout: account },
  })
  if (!target.ok) throw new Error(target.error)
  const rows = await checkServer(target.value)
  // The mock accepts every password, code and token.
  expect(rows.filter(({ result }) => result === 'failed').map(({ id }) => id)).toEqual([
    'sign-in/unknown-account',
    'sign-in/wrong-password',
    'sign-in/fresh-tokens',
    'sign-in/requires-2fa',
    'sign-in/no-token-before-2fa',
    'sign-in/plain-tag',
    'sign-in/no-cookie-on-failure',
    'verify/unknown-account',
    'verify/wrong-code',
    'verify/no-code',
    'verify/used-code',
    'verify/no-skip',
    'reset/unknown-account',
    'session/made-up-token',
    'session/token-once',
    'session/token-bound',
    'logout/ends-session',
    'logout/by-user-id-anonymous',
    'lockout/refuses',
    'lockout/alike',
  ])
  expect(rows.filter(({ result }) => result === 'passed').map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'sign-in/success',
      'session/plowlogin',
      'cookies/http-only',
      'hostile/verifyOTP',
      'browser/json-only',
      'features/all',
    ]),
  )
})
