import * as wire from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { cookieLifetimes } from '../../src/http/caller.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'

const { routes } = wire
const json = { 'content-type': 'application/json' }

/** Input that every call refuses: body, headers and the expected status. */
const hostile: [string, string | Buffer, Record<string, string>, number][] = [
  ['nothing', '', json, 400],
  ['null', 'null', json, 400],
  ['a number', '1e999', json, 400],
  ['a list', '[]', json, 400],
  ['a truth', 'true', json, 400],
  ['not JSON', '{username:1}', json, 400],
  ['half a body', '{"username":"a', json, 400],
  ['two bodies', '{}{}', json, 400],
  ['a trailing comma', '{"username":"a",}', json, 400],
  ['missing and unknown fields', '{"nothing":"known"}', json, 400],
  ['wrong types', '{"username":1,"password":[],"useragent":{},"authTokenSelector":true,"authTokenToken":null}', json, 400],
  [
    'a type inside a type',
    '{"username":{"toString":"a"},"password":{"$ne":""},"useragent":"","authTokenSelector":{},"authTokenToken":{}}',
    json,
    400,
  ],
  ['names given twice', '{"username":"a@b.c","username":"d@e.f","password":"x","useragent":""}', json, 400],
  ['names given twice, one escaped', '{"authTokenSelector":"a","authTokenSelecto\\u0072":"b","authTokenToken":"c"}', json, 400],
  ['__proto__', '{"__proto__":{"username":"a@b.c","password":"x","useragent":""}}', json, 400],
  ['__proto__, escaped', '{"\\u005f_proto__":{"authTokenSelector":"a","authTokenToken":"b"}}', json, 400],
  ['constructor', '{"constructor":{"prototype":{"username":"a"}}}', json, 400],
  [
    'half a character',
    '{"username":"a\\ud800@b.c","password":"x","useragent":"","authTokenSelector":"\\udc00","authTokenToken":"x"}',
    json,
    400,
  ],
  ['half a character, alone', '"\\ud800"', json, 400],
  ['NUL', '"a\\u0000b"', json, 400],
  ['a byte order mark', '\ufeff{}', json, 400],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), json, 400],
  ['UTF-16', Buffer.from('{"username":"a"}', 'utf16le'), json, 400],
  ['a string that is quotes all over', `{"username":"${'\\\\"'.repeat(5000)}"}`, json, 400],
  ['extra depth', `{"username":${'['.repeat(5000)}${']'.repeat(5000)}}`, json, 400],
  ['objects in objects', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, json, 400],
  [
    'more than a call can need',
    JSON.stringify({
      username: 'a@b.c',
      password: 'x'.repeat(2000),
      useragent: '',
      authTokenSelector: 'x'.repeat(2000),
      authTokenToken: 'x',
    }),
    json,
    400,
  ],
  ['1 MB', JSON.stringify({ username: 'x'.repeat(1_000_000) }), json, 413],
  ['1 MB of nothing', ' '.repeat(1_000_000), json, 413],
  ['a form', 'username=a%40b.c&password=x&useragent=', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a form with files', '--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ['text', '{"username":"a@b.c","password":"x","useragent":""}', { 'content-type': 'text/plain' }, 415],
  ['JSON of another alphabet', '{}', { 'content-type': 'application/json; charset=utf-7' }, 415],
  ['a kind of JSON', '{}', { 'content-type': 'application/jsonp' }, 415],
  ['neither content type nor body', '', {}, 415],
  ['no content type', '{"username":"a@b.c","password":"x","useragent":""}', {}, 415],
  ['an empty content type', '{}', { 'content-type': '' }, 415],
]

const posts = Object.values(routes).filter(route => route.method === 'POST')

test('IN-01, IN-03: every call answers every hostile body with a 4xx, and the process survives', async () => {
  const server = await startServer()
  await server.addUser()
  const unbound = posts.filter(({ path }) => !server.app.hasRoute({ method: 'POST', url: path }))
  expect(unbound).toEqual([])
  const wrong: unknown[] = []
  for (const { path } of posts) {
    for (const [what, payload, headers, status] of hostile) {
      const response = await server.app.inject({ method: 'POST', url: path, payload, headers })
      const { error, ...more } = response.json()
      const ok = response.statusCode === status && typeof error === 'string' && error.includes(':') && Object.keys(more).length === 0
      if (!ok) wrong.push([path, what, response.statusCode, response.body])
    }
  }
  expect(wrong).toEqual([])
  expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  const browser = server.openBrowser()
  await browser.enter()
  expect(await isSignedIn(browser)).toBe(true)
})

test('A33: neither hashes nor counts an attempt for a body of 1 MB', async () => {
  const server = await startServer()
  const { computed } = server.passwords.figures()
  await server.app.inject({
    method: 'POST',
    url: routes.getAuthTokenWithError.path,
    headers: json,
    payload: JSON.stringify({ username: 'a@b.c', password: 'x'.repeat(1_000_000), useragent: '' }),
  })
  expect(server.passwords.figures().computed).toBe(computed)
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
})

test('accepts an unusual but valid body', async () => {
  const server = await startServer()
  await server.addUser({ username: 'ada@example.com', password: 'quotes "and": colons "x":' })
  const response = await server.app.inject({
    method: 'POST',
    url: routes.getAuthTokenWithError.path,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    payload: ' {"username" : "ada@example.com" , "password":"quotes \\"and\\": colons \\"x\\":", "useragent":""} ',
  })
  expect(response.json()).toMatchObject({ tag: 'AuthSuccessful' })
})

test.each([
  ['a name twice', '?name=a&name=b'],
  ['an unknown name', '?nmae=a'],
  ['__proto__', '?__proto__=a'],
  ['a value that is too long', `?name=${'x'.repeat(65)}`],
])('refuses a query with %s', async (_, query) => {
  const server = await startServer()
  expect((await server.app.inject(routes.featuresCheck.path + query)).statusCode).toBe(400)
})

test.each([
  'provider=facebook',
  'provider=',
  '',
  'provider=google&provider=google',
  'provider=__proto__',
  'provider=google%00',
  'provider=constructor',
  'provider=pak',
  'provider=google',
  'provider=azure',
])('OI-07: shows an error page with a link back for single sign-on with %j', async query => {
  const server = await startServer()
  const response = await server.app.inject({ url: `/auth/page/plow/ssoLogin?${query}`, headers: { accept: 'text/html' } })
  expect(response.statusCode).toBe(404)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.body).toContain('Back to sign-in')
  expect(response.body).toMatch(
    query.startsWith('provider=pak') ? /Pak Platform is not set up here/ : /is not set up here|Unknown sign-in provider/,
  )
})

test('TH-14, A38: answers no alternative spelling of a path', async () => {
  const server = await startServer()
  const { path } = routes.getAuthTokenWithError
  const payload = JSON.stringify({ username: 'a@b.c', password: 'x', useragent: '' })
  for (const url of [`/${path}`, path.replace('/page', '//page'), `${path}/`, path.toUpperCase(), `${path};x=1`, `/x/..${path}x`]) {
    const response = await server.app.inject({ method: 'POST', url, headers: json, payload })
    expect([url, response.statusCode >= 404 && response.statusCode <= 405]).toEqual([url, true])
  }
})

test('SE-09: treats a cookie that the database cannot store as missing', async () => {
  const server = await startServer({ env: { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' } })
  await server.addUser()
  for (const value of ['%00', '%00.%00', `${'A'.repeat(22)}.%00`, 'a.%ED%A0%80', 'a.%07'])
    for (const which of Object.keys(cookieLifetimes)) {
      const browser = server.openBrowser()
      browser.jar.set(`gatehouse-${which}`, value)
      const form = await browser.submit(wire.plainPages.login, { username: ada.username, password: 'not the password at all' })
      const answers = [
        form,
        await browser.get('/'),
        await browser.get('/account'),
        await browser.get(wire.plainPages.secondFactor, { accept: 'text/html' }),
        await browser.get('/auth/page/plow/a/b', { accept: 'text/html' }),
        await browser.get('/auth/request', {
          'x-forwarded-proto': 'http',
          'x-forwarded-host': 'localhost:3000',
          'x-forwarded-uri': '/',
        }),
        await browser.send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' }),
        await browser.send('POST', routes.plowlogin.path, { authTokenSelector: 'A'.repeat(22), authTokenToken: 'A'.repeat(43) }),
        await browser.send('POST', wire.pushRoutes.pushStatus.path, {}),
      ]
      expect([which, value, answers.map(answer => answer.statusCode).filter(status => status >= 500)]).toEqual([which, value, []])
    }
})
