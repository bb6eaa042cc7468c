import { plainPages as at, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { randomSecret } from '../../src/keys/secrets.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'

const toPage = { accept: 'text/html' }
const wrong = { ...ada, password: 'not the password at all' }

test('CS-01: a listed origin may use the calls but not the forms; a refused form shows a page with the reason', async () => {
  const origin = 'https://host.example'
  const server = await startServer({ env: { GATEHOUSE_ORIGINS: origin } })
  await server.addUser()
  const browser = server.openBrowser()
  const called = await browser.send('POST', routes.getAuthTokenWithError.path, { ...wrong, useragent: '' }, { origin })
  expect([called.statusCode, called.json()]).toEqual([200, { tag: 'AuthFailureFailedLogin' }])
  for (const path of [at.login, at.forgotPassword, at.secondFactor, at.codeAfterReset, '/one-time-link', '/new-password']) {
    const refused = await browser.submit(path, wrong, { origin })
    expect([path, refused.statusCode, refused.body]).toEqual([path, 403, expect.stringContaining('This form was sent from another site')])
  }
  // Browsers percent-encode non-ASCII bytes in forms. Raw ones could mean a different password in another encoding.
  const bytes = await server.app.inject({
    method: 'POST',
    url: at.login,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.config.publicUrl.origin },
    payload: Buffer.from('username=ada%40example.com&password=pässwörd'),
  })
  expect([bytes.statusCode, bytes.body]).toEqual([400, expect.stringContaining('This form couldn’t be read')])
  expect([...browser.jar.keys()]).toEqual(['gatehouse-sign-in'])
})

test('a page’s message expires after a minute, even if the cookie was kept', async () => {
  const server = await startServer()
  const browser = server.openBrowser()
  await browser.submit(at.login, { username: 'call 555 0100 for help', password: 'x' })
  const kept = browser.jar.get('gatehouse-note') ?? ''
  const says = async () => {
    const other = server.openBrowser()
    other.jar.set('gatehouse-note', kept)
    return (await other.get('/')).body.includes('call 555 0100')
  }
  server.clock.advance(59_000)
  expect(await says()).toBe(true)
  server.clock.advance(1000)
  expect(await says()).toBe(false)
})

test('TH-09, LG-03: page loads get an error page after too many requests and when the database fails', async () => {
  const server = await startServer()
  const browser = server.openBrowser({ address: '203.0.113.9' })
  browser.jar.set('gatehouse-ticket', 'some.ticket')
  for (let i = 0; i < 120; i++) await browser.get(at.secondFactor)
  for (const path of [at.secondFactor, '/auth/page/plow/a/b']) {
    const many = await browser.get(path, toPage)
    const said = [many.statusCode, many.headers['retry-after'], many.headers['content-type'], many.body]
    expect(said).toEqual([429, expect.any(String), expect.stringMatching(/^text\/html/), expect.stringContaining('Too many attempts')])
  }
  expect((await browser.get(at.secondFactor)).json()).toEqual({
    error: expect.stringContaining('Too many'),
    code: 'TooManyRequests',
  })

  for (const table of ['tickets', 'hand_overs', 'sessions'] as const)
    await server.db.schema.alterTable(table).renameTo(`${table}_gone`).execute()
  const other = server.openBrowser()
  for (const name of ['ticket', 'session']) other.jar.set(`gatehouse-${name}`, `${randomSecret(128)}.secret`)
  for (const path of ['/', '/account', '/recovery-codes', at.secondFactor, '/auth/page/plow/a/b']) {
    const away = await other.get(path, toPage)
    const said = [path, away.statusCode, away.headers['retry-after'], away.headers['cache-control'], away.body]
    expect(said).toEqual([path, 503, '2', 'no-store', expect.stringContaining('Something went wrong')])
    expect(away.body).not.toMatch(/no such table|relation/)
  }
})

test('returning to a page of a completed sign-in redirects to the account page', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.submit(at.login, ada)
  const done = await browser.submit(at.secondFactor, {})
  await browser.get(String(done.headers.location))
  expect(await isSignedIn(browser)).toBe(true)
  for (const path of [at.secondFactor, at.firstCode, at.recoveryCode, at.codeAfterReset])
    expect([path, (await browser.get(path)).headers.location]).toEqual([path, '/account'])
  expect((await browser.submit(at.secondFactor, { otp: '123456' })).headers.location).toBe('/account')
})
