import { accountRoutes, administrationRoutes, pages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { cookieLifetimes } from '../../src/http/caller.ts'
import { cookieName, cookieValues, domainsAbove } from '../../src/http/cookie-names.ts'
import { hours, limits, minutes, seconds } from '../../src/limits.ts'
import { page } from '../forward-auth/return-journey.ts'
import { openSocket } from '../http/socket.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const session = '__Host-gatehouse-session'
const checks = '__Secure-gatehouse-check'
const grafana = 'https://grafana.example.com'
const own = 'https://sign-in.example.com'

const env = {
  GATEHOUSE_PUBLIC_URL: own,
  GATEHOUSE_COOKIE_DOMAIN: 'example.com',
  GATEHOUSE_ADMINS: admin.username,
  GATEHOUSE_PROTECTED_ORIGINS: `${grafana}, ${own}`,
}
type Server = Awaited<ReturnType<typeof startServer>>

const start = async (more: Record<string, string> = {}) => {
  const server = await startServer({ env: { ...env, ...more } })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  return { server, browser }
}

/** Asks the server, as a proxy does, whether a request with these cookies may pass. @returns the server's response */
const check = async (server: Server, cookie: string, { at = grafana, headers = {} } = {}) => {
  const { protocol, host } = new URL(at)
  const forwarded = { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host, 'x-forwarded-uri': '/d/1' }
  const answer = await server.openBrowser().get('/auth/forward', { ...forwarded, ...(cookie && { cookie }), ...headers })
  return answer
}
const statusOf = async (server: Server, cookie: string, at = grafana) => (await check(server, cookie, { at })).statusCode
const shown = ({ jar }: Browser, ...names: string[]) => names.map(name => `${name}=${jar.get(name)}`).join('; ')

/** Whether any call or page accepts these cookies as a session. */
const isIn = async (server: Server, jar: Record<string, string>) => {
  const browser = server.openBrowser()
  for (const [name, value] of Object.entries(jar)) browser.jar.set(name, value)
  const calls = [...Object.values(accountRoutes), ...Object.values(administrationRoutes)].filter(route => route.method === 'POST')
  const answers = await Promise.all(calls.map(async ({ path }) => (await browser.send('POST', path, {})).statusCode))
  const pagesShown = await Promise.all(
    ['/account', '/administration', '/recovery-codes'].map(async path => (await browser.get(path)).statusCode),
  )
  const { signedIn } = await browser.call(routes.sessionCheck, {})
  await browser.send('POST', routes.logoutBySelf.path, {})
  return signedIn || answers.some(status => status < 400) || pagesShown.some(status => status === 200)
}

test('CK-03: hosts of the domain receive only a check cookie; the session cookie stays with Gatehouse’s host', async () => {
  for (const [publicUrl, names, secure] of [
    [own, [session, checks], 'HttpOnly; Secure; SameSite=Lax'],
    [own.replace('https', 'http'), ['gatehouse-session', 'gatehouse-check'], 'HttpOnly; SameSite=Lax'],
  ] as const) {
    const server = await startServer({
      env: { ...env, GATEHOUSE_PUBLIC_URL: publicUrl, GATEHOUSE_PROTECTED_ORIGINS: '', GATEHOUSE_COOKIE_DOMAIN: '.Example.com' },
    })
    await server.addUser()
    const browser = server.openBrowser()
    const signIn = await browser.send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
    expect([signIn.headers['set-cookie']].flat().join()).not.toContain('Domain')
    const set = [(await browser.send('POST', routes.plowlogin.path, signIn.json().contents)).headers['set-cookie']].flat().map(String)
    const [former = '', ...given] = set
    // Deletes the session cookie that earlier versions set for all hosts.
    expect(former).toMatch(/^(__Secure-)?gatehouse-session=; Max-Age=0; Domain=example\.com; Path=\/; /)
    expect(given).toEqual([
      expect.stringMatching(new RegExp(`^${names[0]}=[\\w-]{22}\\.[\\w-]{43}; Path=/; ${secure}$`)),
      expect.stringMatching(new RegExp(`^${names[1]}=[\\w-]{22}\\.[\\w-]{43}; Domain=example\\.com; Path=/; ${secure}$`)),
    ])
    expect(browser.jar.get(names[0])).not.toBe(browser.jar.get(names[1]))
    const out = [(await browser.send('POST', routes.logoutBySelf.path, {})).headers['set-cookie']].flat().join('\n')
    for (const line of [`${names[0]}=; Max-Age=0; Path=/`, `${names[1]}=; Max-Age=0; Domain=example.com; Path=/`])
      expect(out).toContain(line)
  }
})

test('CK-03: the check cookie opens protected hosts and nothing else; the session cookie does not open them', async () => {
  const { server, browser } = await start()
  const [sessionValue = '', checkValue = ''] = [browser.jar.get(session), browser.jar.get(checks)]
  expect(await statusOf(server, shown(browser, checks))).toBe(200)
  expect(await statusOf(server, shown(browser, session))).toBe(401)
  expect(await statusOf(server, `${checks}=${sessionValue}`)).toBe(401)
  for (const jar of [
    { [checks]: checkValue },
    { [session]: checkValue },
    // Earlier versions used this name, and another host of the domain can plant it.
    { '__Secure-gatehouse-session': sessionValue },
    { 'gatehouse-session': sessionValue },
    { [` ${session}x`]: sessionValue },
  ])
    expect([jar, await isIn(server, jar)]).toEqual([jar, false])
  // None of these requests ended the session.
  expect([await isSignedIn(browser), await statusOf(server, shown(browser, checks))]).toEqual([true, 200])
  expect(await isIn(server, { [session]: sessionValue })).toBe(true)
})

test('CK-03: live updates accept the session cookie only', async () => {
  const { server, browser } = await start()
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { origin: own }
  const [inside, outside] = [
    openSocket(url, { ...headers, cookie: shown(browser, session) }),
    openSocket(url, { ...headers, cookie: shown(browser, checks) }),
  ]
  await Promise.all([inside.next('Nonce'), outside.next('Nonce')])
  await browser.call(routes.logoutBySelf, {})
  await inside.next('SessionEnded')
  // By the time this answer arrives, a message to `outside` would have arrived too.
  const later = openSocket(url, headers)
  await later.next('Nonce')
  expect(outside.heard).toEqual([])
})

test('CK-03: checks of Gatehouse’s own host use the session cookie, which no other host can plant', async () => {
  const { server, browser } = await start()
  const visitor = server.openBrowser()
  await server.addUser(admin)
  await visitor.enter(admin)
  expect(await statusOf(server, shown(browser, session), own)).toBe(200)
  expect(await statusOf(server, shown(browser, checks), own)).toBe(401)
  const both = await check(server, `${shown(visitor, checks)}; ${shown(browser, session)}`, { at: own })
  expect([both.statusCode, both.headers['remote-user']]).toEqual([200, ada.username])

  const alone = await startServer({
    env: { GATEHOUSE_PUBLIC_URL: 'https://example.com/gate', GATEHOUSE_PROTECTED_ORIGINS: 'https://example.com' },
  })
  await alone.addUser()
  const one = alone.openBrowser()
  const signIn = await one.send('POST', `/gate${routes.getAuthTokenWithError.path}`, { ...ada, useragent: '' })
  const { headers } = await one.send('POST', `/gate${routes.plowlogin.path}`, signIn.json().contents)
  expect([headers['set-cookie']].flat()).toEqual([expect.stringMatching(/^__Host-gatehouse-session=/)])
  expect(await statusOf(alone, shown(one, session), 'https://example.com')).toBe(200)
})

test('CK-03: the check cookie ends with its session, however the session ends', async () => {
  const { server } = await start()
  await server.addUser(admin)
  const administrator = server.openBrowser()
  const enter = async () => {
    const browser = server.openBrowser()
    await browser.enter()
    const cookie = shown(browser, checks)
    expect(await statusOf(server, cookie)).toBe(200)
    return { browser, cookie }
  }
  const ends: Record<string, (browser: Browser) => Promise<unknown>> = {
    'sign-out': browser => browser.call(routes.logoutBySelf, {}),
    'sign-out of all others': async () => (await enter()).browser.call(accountRoutes.userSessionEndOthers, {}),
    'sign-out by an administrator': async () => {
      await administrator.enter(admin)
      const { userId } = await server.db
        .selectFrom('users')
        .select('userId')
        .where('userIdent', '=', ada.username)
        .executeTakeFirstOrThrow()
      await administrator.call(routes.logoutByUserId, userId)
    },
    'an hour without use': async () => server.clock.advance(limits.session.idle),
    'another sign-in in the same browser': browser => browser.enter(),
    '20 later sessions': async () => {
      for (let i = 0; i < limits.session.perUser; i++) {
        server.clock.advance(seconds(1))
        await server.openBrowser().enter()
      }
    },
  }
  for (const [how, end] of Object.entries(ends)) {
    const { browser, cookie } = await enter()
    await end(browser)
    expect([how, await statusOf(server, cookie)]).toEqual([how, 401])
    server.clock.advance(minutes(20))
  }
  const { cookie } = await enter()
  for (let i = 0; i < 24; i++) {
    expect(await statusOf(server, cookie)).toBe(200)
    server.clock.advance(minutes(59))
  }
  server.clock.advance(hours(24) - 24 * minutes(59))
  expect(await statusOf(server, cookie)).toBe(401)
  const last = await enter()
  await server.db.deleteFrom('users').where('userIdent', '=', ada.username).execute()
  expect(await statusOf(server, last.cookie)).toBe(401)
})

test('CK-03, SE-02: a renewed session gets a new check cookie, and the old one is invalid', async () => {
  const { server, browser } = await start()
  const before = shown(browser, checks)
  await browser.call(accountRoutes.userPasswordConfirm, { password: ada.password })
  const confirmed = shown(browser, checks)
  expect([confirmed === before, await statusOf(server, before), await statusOf(server, confirmed)]).toEqual([false, 401, 200])
  await browser.call(accountRoutes.userPasswordReset, {
    useridentity: ada.username,
    oldpassword: ada.password,
    newpassword: 'another horse, another battery',
  })
  expect([await statusOf(server, confirmed), await statusOf(server, shown(browser, checks))]).toEqual([401, 200])
})

test('CK-03: two check cookies open nothing, in either order; a page names the cause, and a retry succeeds', async () => {
  const { server, browser } = await start()
  await server.addUser(admin)
  const attacker = server.openBrowser()
  await attacker.enter(admin)
  const [hers, planted] = [shown(browser, checks), shown(attacker, checks)]
  for (const cookie of [
    `${hers}; ${planted}`,
    `${planted}; ${hers}`,
    `${hers}; ${hers}`,
    `${checks}=x; a=b;${hers}`,
    `${hers};\t${checks}=`,
  ]) {
    const { statusCode, headers } = await check(server, cookie)
    expect([cookie, statusCode, headers['remote-user'], headers['gatehouse-trouble']]).toEqual([cookie, 403, undefined, 'cookie-twice'])
  }
  const { headers } = await check(server, `${planted}; ${hers}`, { headers: page })
  expect(headers.location).toBe(`${own}/trouble?cause=cookie-twice&seen=${encodeURIComponent(grafana)}`)
  const shownPage = await browser.get((headers.location ?? '').slice(own.length), page)
  expect(shownPage.body).toMatch(/gatehouse-misconfiguration-name">cookie-twice</)
  expect([shownPage.headers['set-cookie']].flat()).toEqual(
    ['sign-in.example.com', 'example.com'].map(domain => expect.stringContaining(`${checks}=; Max-Age=0; Domain=${domain}; Path=/;`)),
  )
  expect(browser.jar.has(checks)).toBe(false)
  await browser.get('/', page)
  expect(shown(browser, checks)).toBe(hers)
})

test('CK-03: a check cookie with a wrong secret opens nothing and ends nothing', async () => {
  const { server, browser } = await start()
  const [selector] = (browser.jar.get(checks) ?? '').split('.')
  for (const secret of ['x'.repeat(43), browser.jar.get(session)?.split('.')[1]])
    expect(await statusOf(server, `${checks}=${selector}.${secret}`)).toBe(401)
  expect([await isSignedIn(browser), await statusOf(server, shown(browser, checks))]).toEqual([true, 200])
})

test('CK-03: a browser without its check cookie gets one on its return, without another sign-in', async () => {
  const { server, browser } = await start()
  const older = { sessionCheckSelector: null, sessionCheckHash: null }
  const loseIt: (() => Promise<unknown>)[] = [
    async () => browser.jar.delete(checks),
    async () => browser.jar.set(checks, 'planted.value'),
    // An older version started or renewed the session.
    () => server.db.updateTable('sessions').set(older).execute(),
    () =>
      server.db
        .updateTable('sessions')
        .set({ sessionCheckSelector: 'x'.repeat(22) })
        .execute(),
  ]
  for (const lose of loseIt) {
    await lose()
    const led = await check(server, shown(browser, checks), { headers: page })
    expect(led.statusCode).toBe(302)
    const back = await browser.get((led.headers.location ?? '').slice(own.length), page)
    expect([back.statusCode, back.headers.location]).toEqual([303, `${grafana}/d/1`])
    expect(await statusOf(server, shown(browser, checks))).toBe(200)
    server.clock.advance(limits.loop.within)
  }
})

test('cookie-domain: names the cause at the third return of a browser that refuses the check cookie', async () => {
  const { server, browser } = await start()
  const turns: unknown[] = []
  for (let turn = 0; turn < 3; turn++) {
    browser.jar.delete(checks)
    server.clock.advance(seconds(1))
    const led = await check(server, '', { headers: page })
    const { statusCode, body } = await browser.get((led.headers.location ?? '').slice(own.length), page)
    turns.push([statusCode, /gatehouse-misconfiguration-name">([^<]+)</.exec(body)?.[1]])
  }
  expect(turns).toEqual([
    [303, undefined],
    [303, undefined],
    [409, 'cookie-domain'],
  ])
})

test('CK-01: every cookie over HTTPS has a prefix and the attributes it requires', async () => {
  const server = await startServer({ env: { ...env, GATEHOUSE_PUBLIC_URL: `${own}/gate` } })
  await server.addUser()
  const browser = server.openBrowser()
  const set: string[] = []
  const note = ({ headers }: { headers: Record<string, unknown> }) => set.push(...[headers['set-cookie'] ?? []].flat().map(String))
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'grafana.example.com', 'x-forwarded-uri': '/' }
  const lead = async () => {
    const { headers } = await server.openBrowser().get('/gate/auth/forward', { ...page, ...forwarded })
    return (headers.location ?? '').slice(own.length)
  }
  note(await browser.get(await lead(), page))
  const signIn = await browser.send('POST', `/gate${routes.getAuthTokenWithError.path}`, { ...ada, useragent: '' })
  note(signIn)
  const { authTokenSelector, authTokenToken } = signIn.json().contents
  note(await browser.get(`/gate${pages.token(authTokenSelector, authTokenToken)}`, page))
  server.clock.advance(seconds(1))
  note(await browser.get(await lead(), page))
  const names = set.map(text => text.split('=')[0]?.replace(/^__(Host|Secure)-/, ''))
  const journey = ['gatehouse-return', 'gatehouse-signed-in', 'gatehouse-bounces']
  for (const name of [...journey, 'gatehouse-session', 'gatehouse-check', 'gatehouse-hand-over', 'gatehouse-browser'])
    expect(names).toContain(name)
  for (const text of set) {
    expect(text).toMatch(/^__(Host|Secure)-gatehouse-[\w-]+=.*; Path=\/; .*\bSecure\b/)
    if (text.startsWith('__Host-')) expect(text).not.toContain('Domain')
  }
  const https = { publicUrl: { https: true } } as Parameters<typeof cookieName>[1]
  for (const cookie of Object.keys(cookieLifetimes))
    expect(cookieName(cookie, https)).toMatch(cookie === 'check' ? /^__Secure-/ : /^__Host-/)
})

test('A34: counts every cookie with exactly the given name, and no others', () => {
  const cases: [string | undefined, string[]][] = [
    [undefined, []],
    ['', []],
    ['a', []],
    ['=a=x', []],
    ['a=', ['']],
    ['a=x', ['x']],
    ['b=1; a=x; a=y', ['x', 'y']],
    ['\ta = x ;a=y', ['x', 'y']],
    ['A=x; aa=x; b=a=x; a%3Dx; %61=x', []],
    ['\u00a0a=x; \u2000a=x; "a"=x; a\u00a0=x; \u0000a=x; \u000ba=x', []],
    ['a="x"; a=%78; a=x=y', ['"x"', '%78', 'x=y']],
    ['__proto__=x; constructor=x', []],
  ]
  for (const [header, values] of cases) expect([header, cookieValues(header, 'a')]).toEqual([header, values])
  expect(domainsAbove('sign-in.ops.example.com')).toEqual(['sign-in.ops.example.com', 'ops.example.com', 'example.com'])
  for (const host of ['localhost', '127.0.0.1', '[::1]']) expect([host, domainsAbove(host)]).toEqual([host, []])
})
