import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { asked, navigates } from '../forward-auth/asked.ts'
import { ada, startServer } from '../support/harness.ts'

const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
  { tag: 'pt-BR', name: 'Português (Brasil)' },
  { tag: 'ar', name: 'العربية' },
]
const page = { accept: 'text/html' }
const languageIn = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1]
const to = '/auth/page/plow/language'
const form = (origin = 'http://localhost:8080', referer?: string) => ({
  'content-type': 'application/x-www-form-urlencoded',
  origin,
  ...(referer !== undefined && { referer }),
})

const start = async (env: Record<string, string> = {}) => {
  const server = await startServer({ languages, env })
  const show = async (url: string, headers: Record<string, string> = {}) => {
    const response = await server.app.inject({ url, headers: { ...page, ...headers } })
    return { ...response, language: languageIn(response.body) }
  }
  /** Sends the form of the language page with only these headers. */
  const choose = (language: string, headers: Record<string, string>, url = to, back = '') =>
    server.app.inject({ method: 'POST', url, headers, payload: String(new URLSearchParams({ language, back })) })
  /** The address to which the language page leads back if it was opened from `referer`. */
  const backFrom = async (referer: string | undefined, url = to) => {
    const { body } = await show(url, referer === undefined ? {} : { referer })
    return /name="back" value="([^"]*)"/.exec(body)?.[1]
  }
  return { server, show, choose, backFrom }
}

test('chooses the cookie’s language, then the browser’s, then the default', async () => {
  const { show } = await start({ GATEHOUSE_LANGUAGE: 'en' })
  const chosen = async (headers: Record<string, string>) => (await show('/', headers)).language
  expect(await chosen({})).toBe('en')
  expect(await chosen({ 'accept-language': 'nl, de-AT;q=0.8, en;q=0.5' })).toBe('de')
  expect(await chosen({ 'accept-language': 'de', cookie: 'gatehouse-language=pt-BR' })).toBe('pt-BR')
  expect(await chosen({ 'accept-language': 'nl', cookie: 'gatehouse-language=nl' })).toBe('en')
})

test.each([
  '../../etc/passwd',
  '..%2fde',
  'DE',
  'de-AT',
  'de.json',
  '__proto__',
  'constructor',
  '"><script>',
  'de; gatehouse-language=ar',
  'x'.repeat(3000),
])('ignores %s as the language in the cookie', async value => {
  const { show } = await start()
  const { statusCode, language, body } = await show('/', { cookie: `gatehouse-language=${value}` })
  expect([statusCode, language]).toEqual([200, 'en'])
  expect(body).not.toContain('<script>')
})

test('ignores the language cookie if sent twice, and answers 20 requests of 200,000 languages each in 2 s in total', async () => {
  const { show } = await start()
  expect((await show('/', { cookie: 'gatehouse-language=de; gatehouse-language=ar', 'accept-language': 'pt' })).language).toBe('pt-BR')
  const began = performance.now()
  const many = Array.from({ length: 200_000 }, (_, at) => `x${at % 10}-y`).join(',')
  for (let time = 0; time < 20; time++) expect((await show('/', { 'accept-language': `${time}${many}` })).language).toBe('en')
  expect(performance.now() - began).toBeLessThan(2000)
})

test('over https, only Gatehouse’s own host can set the language cookie', async () => {
  const { show, choose } = await start({ GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com' })
  expect((await show('/', { cookie: 'gatehouse-language=de' })).language).toBe('en')
  expect((await show('/', { cookie: '__Host-gatehouse-language=de' })).language).toBe('de')
  const { headers } = await choose('de', form('https://sign-in.example.com'))
  expect(headers['set-cookie']).toBe('__Host-gatehouse-language=de; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax')
})

const everyPage = [
  ['/', 200],
  ['/forgot-password', 200],
  ['/new-password', 200],
  ['/one-time-link', 200],
  ['/confirm-email', 200],
  ['/new-factor', 200],
  ['/approve', 200],
  ['/verify', 200],
  ['/nowhere', 404],
  ['/trouble?cause=cookie-domain', 403],
  ['/auth/page/plow/selector/token', 410],
  ['/auth/page/plow/ssoLogin?provider=nobody', 404],
] as const

test.each(everyPage)(
  '%s has the browser’s language and its text direction, and headers that prevent shared caching',
  async (url, status) => {
    const { show } = await start()
    const { statusCode, language, headers, body } = await show(url, { 'accept-language': 'ar' })
    expect([statusCode, language, headers['content-language']]).toEqual([url === '/verify' ? statusCode : status, 'ar', 'ar'])
    expect(body).toContain('<html lang="ar" dir="rtl">')
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(headers.vary).toMatch(/Cookie, Accept-Language/)
    // No shared cache may store the page.
    expect(headers['cache-control']).toMatch(/^(private, no-cache|no-store)$/)
    expect((await show(url, { 'accept-language': 'de' })).body).not.toContain('dir=')
  },
)

test('translates the labels of the misconfiguration page, and isolates addresses from the text direction of the page', async () => {
  const { show } = await start()
  const { body } = await show('/trouble?cause=not-protected&seen=https%3A%2F%2Fwiki.example.com', { 'accept-language': 'ar' })
  expect(body).toMatch(/<dt>الرمز<\/dt>.*<dt>العنوان<\/dt>/s)
  expect(body).toContain('<bdi>http://localhost:8080/</bdi></dd>')
})

test('each language of the sign-in page has its own ETag', async () => {
  const { show } = await start()
  const english = await show('/', { 'accept-encoding': 'br' })
  const german = await show('/', { 'accept-encoding': 'br', 'accept-language': 'de' })
  expect(german.headers.etag).not.toBe(english.headers.etag)
  const again = (language: string) =>
    show('/', { 'accept-encoding': 'br', 'accept-language': language, 'if-none-match': String(german.headers.etag) })
  expect([(await again('de')).statusCode, (await again('en')).statusCode]).toEqual([304, 200])
})

test('an error in a form and a refused check are in the browser’s language', async () => {
  const { server, show } = await start({
    GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
    GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.com',
    GATEHOUSE_COOKIE_DOMAIN: 'example.com',
  })
  const refused = await server.app.inject({
    method: 'POST',
    url: '/',
    headers: { ...form('https://evil.example'), ...page, 'accept-language': 'de' },
    payload: 'username=a',
  })
  expect([refused.statusCode, languageIn(refused.body), refused.headers['content-language']]).toEqual([403, 'de', 'de'])
  const inPlace = await show('/auth/request', { ...asked('https://sign-in.example.com/'), ...navigates, 'accept-language': 'ar' })
  expect([inPlace.language, inPlace.headers['content-language'], inPlace.headers['set-cookie']]).toEqual(['ar', 'ar', undefined])
  // The browser would send a form in this page to the protected application.
  expect(inPlace.body).not.toContain('<form')
})

test('a page links to the language page, which sets the cookie and leads back', async () => {
  const { server, backFrom } = await start()
  const browser = server.openBrowser()
  const { body, headers } = await browser.send('GET', '/forgot-password', undefined, page)
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(body).toContain(`<a href="${to}" aria-label="Language: English">English</a>`)
  const list = (await browser.send('GET', to, undefined, page)).body
  expect(list).toMatch(/<button[^>]*lang="de"[^>]*value="de"|<button[^>]*value="de"[^>]*lang="de"/)
  expect(list).toMatch(/<button[^>]*aria-current="true"[^>]*><span>English/)
  expect(await backFrom('http://localhost:8080/forgot-password?return=x')).toBe('/forgot-password?return=x')
  const answer = await browser.submit(to, { language: 'de', back: '/forgot-password?return=x' })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/forgot-password?return=x'])
  expect(answer.headers['set-cookie']).toContain('gatehouse-language=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax')
  expect(languageIn((await browser.send('GET', '/forgot-password', undefined, page)).body)).toBe('de')
})

test('pages that cannot be loaded again do not link to the language page, nor do pages of a server with one language', async () => {
  const { show } = await start()
  for (const url of ['/new-password', '/one-time-link', '/confirm-email', '/new-factor', '/auth/page/plow/selector/token'])
    expect((await show(url)).body).not.toContain(to)
  expect((await show('/auth/page/plow/selector/token')).headers['referrer-policy']).toBe('no-referrer')
  const alone = await startServer({ languages: languages.slice(0, 1) })
  expect((await alone.app.inject('/')).body).not.toContain(to)
})

test.each([
  [undefined, '/'],
  ['', '/'],
  ['not an address', '/'],
  ['https://evil.example/', '/'],
  ['http://localhost:8080.evil.example/account', '/'],
  ['http://localhost:8080@evil.example/account', '/'],
  ['http://localhost:8080//evil.example', '/'],
  ['http://localhost:8080/\\evil.example', '/'],
  ['http://localhost:8080/\\/evil.example', '/'],
  ['http://localhost:8080/.//evil.example', '/'],
  ['http://localhost:8080/%0d%0aset-cookie:a=b', '/%0d%0aset-cookie:a=b'],
  ['javascript:alert(1)', '/'],
  ['data:text/html,x', '/'],
  ['http://localhost:8080/account#fragment', '/account'],
])('no open redirect: the language page, opened from %s, leads back to %s', async (referer, location) => {
  const { backFrom } = await start()
  expect(await backFrom(referer)).toBe(location)
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\\/evil.example', 'javascript:alert(1)', 'account', ''])(
  'no open redirect: the language form leads to the start page if it asks for %s',
  async back => {
    const { choose } = await start()
    const answer = await choose('de', form(), to, back)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
  },
)

test('below a base path, the language page leads back only to pages below it', async () => {
  const { choose, backFrom } = await start({ GATEHOUSE_PUBLIC_URL: 'http://localhost:8080/gate' })
  const below = `/gate${to}`
  for (const [asked, location] of [
    ['/gate/account', '/gate/account'],
    ['/gatecrasher', '/gate/'],
    ['/other', '/gate/'],
  ] as const) {
    expect(await backFrom(`http://localhost:8080${asked}`, below)).toBe(location)
    expect((await choose('de', form(), below, asked)).headers.location).toBe(location)
  }
})

test('the language form refuses other sites, other methods, unknown languages and other bodies', async () => {
  const { server, choose } = await start()
  const evil = await choose('de', form('https://evil.example'))
  expect([evil.statusCode, evil.headers['set-cookie']]).toEqual([403, undefined])
  for (const language of ['', 'nl', '../de', 'DE']) {
    const answer = await choose(language, form())
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([400, undefined])
  }
  expect((await server.app.inject({ method: 'PUT', url: to })).statusCode).toBe(405)
  const json = { method: 'POST', url: to, payload: { language: 'de' }, headers: { origin: 'http://localhost:8080' } } as const
  expect((await server.app.inject(json)).statusCode).toBe(415)
})

test('the user’s language setting overrides the cookie, and a choice on the language page changes the setting', async () => {
  const { server } = await start()
  await server.addUser()
  const [desktop, phone] = [server.openBrowser(), server.openBrowser()]
  await desktop.enter()
  await phone.enter()
  const shown = async (browser: typeof desktop, path = '/account') =>
    languageIn((await browser.send('GET', path, undefined, { ...page, 'accept-language': 'en' })).body)
  await desktop.call(accountRoutes.userLanguage, { userLanguage: 'ar' })
  phone.jar.set('gatehouse-language', 'de')
  expect([await shown(desktop), await shown(phone)]).toEqual(['ar', 'ar'])
  // Pages that look up no session use the language chosen in the browser.
  expect([await shown(desktop, '/nowhere'), await shown(phone, '/nowhere')]).toEqual(['ar', 'de'])
  await phone.submit(to, { language: 'pt-BR' })
  expect([await shown(desktop), await shown(phone)]).toEqual(['pt-BR', 'pt-BR'])
  const rows = await server.db.selectFrom('audit').select('auditEvent').where('auditEvent', '=', 'language-changed').execute()
  expect(rows.length).toBe(2)
  await desktop.call(accountRoutes.userLanguage, { userLanguage: null })
  expect(await shown(desktop)).toBe('en')
})

test('on a shared browser, the next user does not see the previous user’s setting', async () => {
  const { server } = await start()
  const userId = await server.addUser()
  await server.db.updateTable('users').set({ userLanguage: 'ar' }).where('userId', '=', userId).execute()
  const shared = server.openBrowser()
  await shared.enter()
  const shown = async (path: string) => languageIn((await shared.send('GET', path, undefined, { ...page, 'accept-language': 'de' })).body)
  expect(await shown('/account')).toBe('ar')
  await shared.call(routes.logoutBySelf, {})
  expect(await shown('/')).toBe('de')
})

test('falls back to the browser’s language when the user’s language no longer exists', async () => {
  const { server } = await start()
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  await server.db.updateTable('users').set({ userLanguage: 'nl' }).where('userId', '=', userId).execute()
  const { statusCode, body } = await browser.send('GET', '/account', undefined, { ...page, 'accept-language': 'de' })
  expect([statusCode, languageIn(body)]).toEqual([200, 'de'])
})

test('a sign-in stores its language for mails, and an unfinished sign-in continues after a change of language', async () => {
  const { server } = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const userId = await server.addUser()
  const stored = async () => {
    const query = server.db.selectFrom('users').select('userLastLanguage').where('userId', '=', userId)
    return (await query.executeTakeFirstOrThrow()).userLastLanguage
  }
  const browser = server.openBrowser()
  const setUp = (await browser.submit('/', ada)).headers.location ?? ''
  expect(languageIn((await browser.get(setUp, page)).body)).toBe('en')
  const { headers } = await browser.submit(to, { language: 'ar', back: setUp })
  expect(headers.location).toBe(setUp)
  const { statusCode, body } = await browser.get(setUp, page)
  expect([statusCode, languageIn(body)]).toEqual([200, 'ar'])
  expect(await stored()).toBe(null)
  const skipped = await browser.submit(setUp, { skip: 'yes' })
  expect([skipped.statusCode, await stored()]).toEqual([303, 'ar'])
})

test('the approver’s manifest has the browser’s language and its direction', async () => {
  const { show } = await start()
  const { lang, dir } = (await show('/approve.webmanifest', { 'accept-language': 'ar' })).json()
  expect([lang, dir]).toEqual(['ar', 'rtl'])
})
