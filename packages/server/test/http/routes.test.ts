import { createHash } from 'node:crypto'
import { plainPages } from '@gatehouse/wire'
import { pagePaths } from '@gatehouse/wire/page-props'
import { expect, test } from 'vitest'
import { posts } from '../support/bodies.ts'
import { ada, admin, isSignedIn, startServer } from '../support/harness.ts'
import { declared, form, get } from './declared-routes.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** The paths in the router's printed tree: each line extends the nearest line above with less indentation. */
const walk = ({ app }: Server): string[] => {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap(line => {
      const [, indent, part] = /^([│ ]*)[├└]── (\S+)(?: \([A-Z, ]+\))?$/.exec(line) ?? []
      if (indent === undefined || part === undefined) return []
      const depth = indent.length / 4
      above.length = depth
      above.push(part)
      return /\([A-Z, ]+\)$/.test(line) ? [above.join('')] : []
    })
}

/** A route's path with its parameters filled in. */
const filled = (path: string) => path.replace(':selector', 'some-selector').replace(':token', 'some-token').replace(':id', 'some-mail')

const administratorsOnly = { error: 'Only an administrator who signed in within the last 15 minutes may do this' }

test('AZ-02: every route has a declared rule, and every declared route exists', async () => {
  const server = await startServer()
  expect(walk(server).sort()).toEqual(Object.keys(declared).sort())
  expect(posts.map(({ path }) => declared[path]?.[0])).toEqual(posts.map(() => 'POST'))
})

test('every path of a built page is a route', () => {
  expect(Object.keys(declared)).toEqual(expect.arrayContaining(Object.values(pagePaths).flat()))
})

test('the built administration page lists every path that only administrators may open', () => {
  const paths = Object.entries(declared).flatMap(([path, [, rule]]) => (rule === 'administrator-page' ? [path] : []))
  expect(paths.toSorted()).toEqual(pagePaths.administration.toSorted())
})

test('AZ-02: routes that require a session or an administrator refuse everyone else', async () => {
  const server = await startServer()
  const [anonymous, user, administrator] = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  await server.addUser()
  await server.addUser(admin)
  await administrator.enter(admin)
  const { userPassword } = await server.db
    .selectFrom('users')
    .select('userPassword')
    .where('userIdent', '=', ada.username)
    .executeTakeFirstOrThrow()
  const ask = async (browser: typeof user, path: string, allow: string) => {
    if (allow !== 'POST') return browser.get(filled(path))
    return browser.send('POST', path, posts.find(post => post.path === path)?.body)
  }
  for (const [path, [allow, rule]] of Object.entries(declared)) {
    // Some calls end the session or change the password.
    await server.db.updateTable('users').set({ userPassword }).where('userIdent', '=', ada.username).execute()
    await user.enter()
    const [byNobody, byUser] = [await ask(anonymous, path, allow), await ask(user, path, allow)]
    const seen = [path, rule]
    switch (rule) {
      case 'session':
        expect([...seen, byNobody.statusCode, byNobody.headers.location]).toEqual(
          allow === get || allow === form ? [...seen, 303, '/'] : [...seen, expect.toBeOneOf([401, 403]), undefined],
        )
        expect([...seen, byUser.statusCode]).not.toEqual([...seen, 401])
        break
      case 'administrator': {
        expect([...seen, byNobody.statusCode, byNobody.json()]).toEqual([...seen, 403, administratorsOnly])
        expect([...seen, byUser.statusCode, byUser.json()]).toEqual([...seen, 403, administratorsOnly])
        break
      }
      case 'administrator-page':
        expect([...seen, byNobody.statusCode, byNobody.headers.location]).toEqual([...seen, 303, '/'])
        // The same answer as for an unknown address.
        expect([...seen, byUser.statusCode, byUser.body]).toEqual([...seen, 404, (await user.get('/none')).body])
        break
      case 'loopback':
        expect([...seen, byNobody.statusCode, byUser.statusCode]).toEqual([...seen, 404, 404])
        break
      case 'check':
        expect([...seen, byNobody.statusCode, byUser.statusCode]).toEqual([...seen, 403, 403])
        break
      case 'public':
        expect([...seen, byNobody.statusCode]).not.toEqual([...seen, 403])
    }
  }
  expect(await isSignedIn(administrator)).toBe(true)
})

test('CS-03, CS-05, A30: every route accepts only its declared methods; others get 405 with Allow and change nothing', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const wrong: unknown[] = []
  for (const [path, [allow]] of Object.entries(declared)) {
    if (path === '/*') continue
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'] as const) {
      if (allow.split(', ').includes(method)) continue
      for (const headers of [{}, { cookie, 'content-type': 'application/json' }]) {
        const response = await server.app.inject({ method: method as 'GET', url: filled(path), headers })
        if (response.statusCode !== 405 || response.headers.allow !== allow) wrong.push([method, path, response.statusCode])
      }
    }
  }
  expect(wrong).toEqual([])
  expect(server.logged.join('')).toMatch(/"method":"PUT","route":"\/account","status":405/)
  for (const method of ['POST', 'PUT', 'DELETE', 'TRACE'] as const)
    expect((await server.app.inject({ method, url: '/assets/none.js' })).statusCode).toBe(404)
  expect(await isSignedIn(browser)).toBe(true)
})

test('CS-01: no call accepts a request from another site, with or without a session', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  for (const { path, body } of posts) {
    for (const account of [browser, server.openBrowser()]) {
      const response = await account.send('POST', path, body, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
      expect([path, response.statusCode]).toEqual([path, 403])
    }
  }
  expect(await isSignedIn(browser)).toBe(true)
  expect(await server.db.selectFrom('outbox').selectAll().execute()).toEqual([])
})

test('HD-01, HD-02, HD-03: every page and call answer carries the security headers and is stored by no shared cache', async () => {
  const server = await startServer({ env: { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com' } })
  await server.addUser()
  const local = { host: 'localhost' }
  const answers = [
    ...(await Promise.all(
      Object.entries(declared)
        .filter(([path, [allow]]) => allow !== 'POST' && path !== '/*')
        .map(async ([path]) => [path, await server.app.inject({ url: filled(path), headers: local })] as const),
    )),
    ...(await Promise.all(
      posts.map(
        async ({ path, body }) =>
          [
            path,
            await server.app.inject({
              method: 'POST',
              url: path,
              payload: body as object,
              headers: { ...local, 'content-type': 'application/json' },
            }),
          ] as const,
      ),
    )),
    ...(await Promise.all(
      posts.map(
        async ({ path }) =>
          [`${path} with nothing`, await server.app.inject({ method: 'POST', url: path, payload: {}, headers: local })] as const,
      ),
    )),
  ]
  const withForm = new Set([
    '/',
    plainPages.forgotPassword,
    '/one-time-link',
    '/new-password',
    '/new-factor',
    '/confirm-email',
    '/auth/page/plow/language',
  ])
  for (const [path, { headers, body }] of answers) {
    // Only the sign-in page has inline styles, which the policy allows by their hash.
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringMatching(
        /^default-src 'self';script-src 'self';style-src 'self'( 'sha256-[\w+/]{43}=')?;img-src 'self' data:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'$/,
      ),
    ])
    expect([path, /sha256/.test(String(headers['content-security-policy']))]).toEqual([path, path === '/'])
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        // A page that has neither a form nor a link to the language page sends no referrer: the token page, for example.
        'referrer-policy': withForm.has(path) || body.includes('"/auth/page/plow/language"') ? 'same-origin' : 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'cache-control': path === '/' ? 'private, no-cache' : 'no-store',
      }),
    ])
    if (headers.location === undefined) expect([path, headers['content-type']]).toEqual([path, expect.stringMatching(/; ?charset=utf-8/)])
  }
})

test('HD-01: no page has inline scripts or unhashed styles, or loads anything from another origin', async () => {
  const server = await startServer()
  const pages = Object.entries(declared).filter(([, [allow]]) => allow !== 'POST')
  let seen = 0
  for (const [path] of pages) {
    const response = await server.app.inject({ url: filled(path), headers: { accept: 'text/html' } })
    if (!String(response.headers['content-type']).startsWith('text/html')) continue
    seen++
    const [style, text = ''] = /<style>(.*?)<\/style>/s.exec(response.body) ?? []
    const hash = createHash('sha256').update(text).digest('base64')
    if (style) expect([path, response.headers['content-security-policy']]).toEqual([path, expect.stringContaining(`'sha256-${hash}'`)])
    const body = response.body.replace(style ?? '', '')
    expect([path, body]).not.toEqual([
      path,
      expect.stringMatching(/<script(?![^>]*\b(src=|type="application\/json"))|<style|\son\w+=|javascript:/i),
    ])
    for (const [, address] of body.matchAll(/(?:src|href|action)="([^"]*)"/g))
      expect([path, address]).toEqual([path, expect.stringMatching(/^(\/(?!\/)|#|data:image\/|otpauth:)/)])
  }
  expect(seen).toBeGreaterThan(7)
})
