import { join } from 'node:path'
import { plainPages, routes } from '@gatehouse/wire'
import { pagePaths } from '@gatehouse/wire/page-props'
import { expect, test } from 'vitest'
import { ada, startServer } from '../support/harness.ts'

const brand = {
  GATEHOUSE_NAME: 'Acme & Söhne',
  GATEHOUSE_NOTICE: 'Authorized use only. <Everything> is logged.',
  GATEHOUSE_HELP_URL: 'https://acme.example/help?a=1&b=2',
  GATEHOUSE_PRIVACY_URL: 'https://acme.example/privacy',
  GATEHOUSE_IMPRINT_URL: 'https://acme.example/imprint',
}
const asPage = { accept: 'text/html' }

/** The headers of a check by a misconfigured proxy that guards Gatehouse's own sign-in page. */
const guardedSignIn = {
  accept: 'text/html',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'x-forwarded-proto': 'http',
  'x-forwarded-host': 'localhost:8080',
  'x-forwarded-uri': '/?return=none',
}

/** The addresses of pages, with the misconfiguration page and the page for an unknown address. */
const addresses = [
  ...Object.values(pagePaths)
    .flat()
    .filter(path => !path.startsWith('/administration/') && path !== '/trouble' && path !== '/recovery-codes'),
  '/trouble?cause=cookie-domain&seen=https://x.example',
  '/nowhere',
]

/** The page at each address, for a visitor or for a signed-in administrator. */
const pagesOf = async (env: Record<string, string>) => {
  // With one language, the frame has no link to the language page.
  const languages = [{ tag: 'en', name: 'English' }]
  const server = await startServer({ languages, env: { ...env, GATEHOUSE_ADMINS: ada.username } })
  await server.addUser()
  const [visitor, administrator] = [server.openBrowser(), server.openBrowser()]
  await administrator.enter()
  const pages = new Map<string, string>()
  for (const address of addresses) {
    const browser = /account|administration/.test(address) ? administrator : visitor
    const { headers, body } = await browser.get(address, asPage)
    if (String(headers['content-type']).startsWith('text/html')) pages.set(address, body)
  }
  return { server, visitor, pages }
}

test('every page carries the name, the notice and the links of the brand', async () => {
  const { pages } = await pagesOf(brand)
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      '/',
      plainPages.forgotPassword,
      '/account',
      '/administration',
      '/approve',
      '/new-password',
      '/mail',
      '/nowhere',
    ]),
  )
  for (const [address, html] of pages) {
    expect([address, /<title>[^<]*<\/title>/.exec(html)?.[0]]).toEqual([address, expect.stringContaining('Acme &amp; Söhne</title>')])
    expect([address, html.match(/Gatehouse(?!’)/g)]).toEqual([address, address.startsWith('/trouble') ? ['Gatehouse'] : null])
    expect(html).toContain('<p class="gatehouse-frame-notice">Authorized use only. &lt;Everything&gt; is logged.</p><div id="root"')
    expect(html.match(/<footer.*?<\/footer>/g)).toEqual([
      '<footer><a href="https://acme.example/help?a=1&amp;b=2">Help</a><a href="https://acme.example/privacy">Privacy</a><a href="https://acme.example/imprint">Imprint</a></footer>',
    ])
    expect(html).toContain('<meta name="gatehouse-logo" content="{&quot;name&quot;:&quot;Acme &amp; Söhne&quot;}">')
    // The page contains the logo, so no script must add it.
    expect(html).toContain('</svg>Acme &amp; Söhne</span>')
  }
})

test('without a brand, pages have Gatehouse’s name, no frame and no extra style sheet', async () => {
  const { server, pages } = await pagesOf({})
  for (const [address, html] of pages) {
    expect([address, /<title>[^<]*<\/title>/.exec(html)?.[0]]).toEqual([address, expect.stringContaining('Gatehouse</title>')])
    expect(html).not.toMatch(/gatehouse-frame|gatehouse-logo"|assets\/brand|<footer/)
  }
  expect((await server.app.inject('/assets/brand/anything.css')).statusCode).toBe(404)
})

test('the sign-in page contains the styles of the frame; other pages load them from a file that browsers cache', async () => {
  const { visitor, pages } = await pagesOf(brand)
  expect(pages.get('/')).toContain('footer{color:')
  expect(pages.get('/')).not.toContain('rel="stylesheet"')
  const [, href = ''] = /<link rel="stylesheet" href="(\/assets\/brand\/[^"]+)">\s*<\/head>/.exec(pages.get('/account') ?? '') ?? []
  const { headers, body } = await visitor.get(href)
  expect(body).toContain('footer{color:')
  expect(headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  })
  expect((await visitor.send('POST', href)).statusCode).toBe(405)
})

test('the manifest, mails and authenticator apps use the name of the brand', async () => {
  const server = await startServer({ env: { ...brand, GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  expect((await browser.get('/approve.webmanifest')).json()).toMatchObject({ name: 'Acme & Söhne approver', short_name: 'Acme & Söhne' })
  expect(JSON.stringify(await browser.signIn())).toContain(`issuer=${encodeURIComponent('Acme & Söhne')}`)
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const [mail] = await server.deliver()
  expect([mail?.subject, mail?.from]).toEqual(['Reset your password · Acme & Söhne', 'Acme & Söhne <gatehouse@localhost>'])
  expect(mail?.text).toContain('-- \nAcme & Söhne\nhttp://localhost:8080/\nHelp: https://acme.example/help?a=1&b=2\n')
})

test('a page that answers a check carries the brand, and loads nothing', async () => {
  const server = await startServer({ env: { ...brand, GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:8080, http://localhost:3000' } })
  const { body, headers } = await server.app.inject({
    url: '/auth/forward',
    headers: guardedSignIn,
  })
  expect(body).toContain('Acme &amp; Söhne</title>')
  expect(body).toContain('<footer>')
  expect(body).toContain('footer{color:')
  expect(body).not.toMatch(/<link|<script|src=/)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

const brands = join(import.meta.dirname, '../../../../docs/branding')
const harbor = { GATEHOUSE_NAME: 'Harbor', GATEHOUSE_BRAND_DIR: join(brands, 'harbor'), GATEHOUSE_ACCENT: '#0b5c73' }

test('shows the operator’s logo on every page, without a request', async () => {
  const { pages } = await pagesOf(harbor)
  for (const [address, html] of pages) {
    expect([address, html.match(/<span class="brand-logo" role="img" aria-label="Harbor"><\/span>/g)?.length]).toEqual([address, 1])
    expect(html).not.toContain('</svg>Harbor')
  }
  const start = pages.get('/') ?? ''
  expect(start).toMatch(/\.brand-logo\{[^}]*width:160px;max-width:100%;height:36px;background:url\("data:image\/svg\+xml,%3Csvg/)
  expect(start).toContain('@media (prefers-color-scheme:dark){.brand-logo{')
  // Apart from its background, the page names only the favicon, which browsers fetch last.
  expect(start.match(/assets\/brand\/[\w-]+\.\w+/g)?.map(name => name.replace(/-[\w-]{8}\./, '.'))).toEqual([
    'assets/brand/favicon.svg',
    'assets/brand/background.svg',
    'assets/brand/background.svg',
  ])
})

test('a page that answers a check may show the logo, and may load nothing else', async () => {
  const server = await startServer({ env: { ...harbor, GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:8080, http://localhost:3000' } })
  const { body, headers } = await server.app.inject({ url: '/auth/forward', headers: guardedSignIn })
  expect(body).toContain('<span class="brand-logo" role="img" aria-label="Harbor"></span>')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; base-uri 'none'/)
})

test('serves brand files so that an SVG opened directly runs no script', async () => {
  const { server, pages } = await pagesOf(harbor)
  const [, favicon = ''] = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)"/.exec(pages.get('/account') ?? '') ?? []
  const { headers, statusCode } = await server.app.inject(favicon)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  for (const path of ['../../package.json', '%2e%2e%2fmaster.key', 'logo.svg', 'brand.css', '__proto__', 'constructor'])
    expect([path, (await server.app.inject(`/assets/brand/${path}`)).statusCode]).toEqual([path, 404])
})

test('the Content-Security-Policy of pages is as strict with a brand as without one', async () => {
  const policyOf = async (env: Record<string, string>, path: string) => {
    const server = await startServer({ env })
    return String((await server.app.inject({ url: path, headers: asPage })).headers['content-security-policy'])
  }
  for (const path of ['/', '/forgot-password', '/nowhere']) {
    const withoutHash = (policy: string) => policy.replace(/'sha256-[^']+'/, 'HASH')
    expect(withoutHash(await policyOf(harbor, path))).toBe(withoutHash(await policyOf({}, path)))
  }
})

test('gives an installed approver the operator’s icons', async () => {
  const { server, pages } = await pagesOf({ ...harbor, GATEHOUSE_BRAND_DIR: join(brands, 'meridian') })
  const { icons } = (await server.app.inject('/approve.webmanifest')).json()
  expect(icons).toEqual([
    { src: expect.stringMatching(/^\/assets\/brand\/favicon-.*\.svg$/), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ])
  expect(pages.get('/approve')).not.toMatch(/icon-(192|512|maskable)|apple-touch-icon/)
  expect((await server.app.inject(icons[0].src)).statusCode).toBe(200)
})

test('adds the base path to the addresses of the brand’s files', async () => {
  const server = await startServer({ env: { ...harbor, GATEHOUSE_PUBLIC_URL: 'http://localhost:8080/gate' } })
  const { body } = await server.app.inject('/gate/forgot-password')
  const [, sheet = ''] = /href="(\/gate\/assets\/brand\/brand-[^"]+)"/.exec(body) ?? []
  expect((await server.app.inject(sheet)).body).toContain('url("/gate/assets/brand/background-')
})
