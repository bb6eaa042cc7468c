import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, problemsOf } from '../../test/support/configuration.ts'
import { readConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const production = {
  NODE_ENV: 'production',
  GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
  GATEHOUSE_MASTER_KEY: key,
  GATEHOUSE_SMTP_URL: 'smtp://mail.example.com',
}
test('without variables, configures a development server for this machine only', () => {
  const dataDir = folder()
  const config = readConfig({ GATEHOUSE_DATA_DIR: dataDir })
  expect(config).toMatchObject({
    production: false,
    publicUrl: { origin: 'http://localhost:8080', path: '', https: false },
    listen: { host: '127.0.0.1', port: 8080 },
    databaseUrl: `sqlite:${join(dataDir, 'gatehouse.sqlite')}`,
    dashboardUrl: '/account',
    origins: [],
    trustedProxies: [],
    firstAdmin: { username: 'admin@example.com', password: undefined },
    hashThreads: availableParallelism(),
    submitCodeWhenComplete: false,
  })
  expect(readConfig({ GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_HASH_THREADS: '3' }).hashThreads).toBe(3)
  expect([...config.admins]).toEqual(['admin@example.com'])
})

test('a development server creates its master key once, readable only by its own user', () => {
  const dataDir = folder()
  const masterKeys = readConfig({ GATEHOUSE_DATA_DIR: dataDir }).masterKeys()
  expect(masterKeys.map(key => key.length)).toEqual([32])
  expect(readConfig({ GATEHOUSE_DATA_DIR: dataDir }).masterKeys()).toEqual(masterKeys)
  expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600)
  expect(readConfig({ GATEHOUSE_DATA_DIR: folder() }).masterKeys()).not.toEqual(masterKeys)
})

test('accepts a path in the public URL; the default URL has the port of GATEHOUSE_LISTEN', () => {
  const at = (env: Record<string, string>) => readConfig({ GATEHOUSE_DATA_DIR: folder(), ...env })
  expect(at({ GATEHOUSE_PUBLIC_URL: 'https://example.com/a/b/' }).publicUrl).toEqual({
    origin: 'https://example.com',
    path: '/a/b',
    https: true,
  })
  expect(at({ GATEHOUSE_PUBLIC_URL: 'https://example.com/a' }).dashboardUrl).toBe('/a/account')
  expect(at({ GATEHOUSE_LISTEN: '[::1]:9090' })).toMatchObject({
    listen: { host: '::1', port: 9090 },
    publicUrl: { origin: 'http://localhost:9090' },
  })
})

test('reads administrators regardless of capitals and spaces, and treats an empty variable as unset', () => {
  const { admins } = readConfig({
    GATEHOUSE_DATA_DIR: folder(),
    GATEHOUSE_ADMINS: 'Ada@Example.com , grace@example.com',
    GATEHOUSE_ORIGINS: '',
  })
  expect([...admins]).toEqual(['ada@example.com', 'grace@example.com'])
})

test.each([
  ['GATEHOUSE_PUBLIC_ULR', 'x', 'GATEHOUSE_PUBLIC_ULR is not a Gatehouse variable; did you mean GATEHOUSE_PUBLIC_URL.'],
  ['GATEHOUSE_ADMIN', 'x', 'GATEHOUSE_ADMIN is not a Gatehouse variable; did you mean GATEHOUSE_ADMINS.'],
  ['GATEHOUSE_COLOUR', 'x', 'GATEHOUSE_COLOUR is not a Gatehouse variable.'],
  ['GATEHOUSE_LISTEN', '8080', 'GATEHOUSE_LISTEN must be host:port'],
  ['GATEHOUSE_LISTEN', '127.0.0.1:0', 'GATEHOUSE_LISTEN must be host:port'],
  ['GATEHOUSE_DATABASE_URL', 'sqlite::memory:', 'GATEHOUSE_DATABASE_URL must be sqlite:'],
  ['GATEHOUSE_LISTEN', '127.0.0.1:99999', 'GATEHOUSE_LISTEN must be host:port'],
  ['GATEHOUSE_PUBLIC_URL', 'localhost:8080', 'GATEHOUSE_PUBLIC_URL must be'],
  ['GATEHOUSE_PUBLIC_URL', 'https://example.com/?a=b', 'GATEHOUSE_PUBLIC_URL must be'],
  ['GATEHOUSE_PUBLIC_URL', 'javascript:alert(1)', 'GATEHOUSE_PUBLIC_URL must be'],
  ['GATEHOUSE_DATA_DIR', '/dev/null/data', 'GATEHOUSE_DATA_DIR: the folder /dev/null/data cannot be written (ENOTDIR)'],
  ['GATEHOUSE_DATABASE_URL', 'mysql://localhost/gatehouse', 'GATEHOUSE_DATABASE_URL must be sqlite:'],
  ['GATEHOUSE_DATABASE_URL', 'postgres://', 'GATEHOUSE_DATABASE_URL must be sqlite:'],
  ['GATEHOUSE_DATABASE_URL', '/a/file', 'GATEHOUSE_DATABASE_URL must be sqlite:'],
  ['GATEHOUSE_MASTER_KEY', 'short', 'GATEHOUSE_MASTER_KEY must be base64 of at least 32 random bytes.'],
  ['GATEHOUSE_MASTER_KEY_FILE', '/nowhere', 'GATEHOUSE_MASTER_KEY_FILE: /nowhere cannot be read (ENOENT).'],
  ['GATEHOUSE_SMTP_URL', 'http://mail', 'GATEHOUSE_SMTP_URL must start with'],
  ['GATEHOUSE_ADMINS', 'ada@example.com;grace@example.com', 'GATEHOUSE_ADMINS must be email addresses'],
  ['GATEHOUSE_ADMIN_EMAIL', 'a@example.com,b@example.com', 'GATEHOUSE_ADMIN_EMAIL must be one'],
  ['GATEHOUSE_DASHBOARD_URL', '//evil.example', 'GATEHOUSE_DASHBOARD_URL must be'],
  ['GATEHOUSE_DASHBOARD_URL', '/\\evil.example', 'GATEHOUSE_DASHBOARD_URL must be'],
  ['GATEHOUSE_PUBLIC_URL', 'https://example.com/:a', 'GATEHOUSE_PUBLIC_URL must be'],
  ['GATEHOUSE_PUBLIC_URL', 'https://user@example.com/', 'GATEHOUSE_PUBLIC_URL must be'],
  ['GATEHOUSE_DASHBOARD_URL', 'javascript:alert(1)', 'GATEHOUSE_DASHBOARD_URL must be'],
  ['GATEHOUSE_ORIGINS', 'https://app.example.com/', 'GATEHOUSE_ORIGINS must be'],
  ['GATEHOUSE_ORIGINS', '*', 'GATEHOUSE_ORIGINS must be'],
  ['GATEHOUSE_TRUSTED_PROXIES', 'proxy.local', 'GATEHOUSE_TRUSTED_PROXIES must be'],
  ['GATEHOUSE_TRUSTED_PROXIES', '10.0.0.0/64', 'GATEHOUSE_TRUSTED_PROXIES must be'],
  ['GATEHOUSE_TRUSTED_PROXIES', '0.0.0.0/0', 'GATEHOUSE_TRUSTED_PROXIES must be'],
  ['GATEHOUSE_TRUSTED_PROXIES', '10.0.0.300', 'GATEHOUSE_TRUSTED_PROXIES must be'],
  ['GATEHOUSE_SMTP_URL', 'smtp://mail?tls=none', 'GATEHOUSE_SMTP_URL must start with'],
  ['GATEHOUSE_MAIL_FROM', 'Acme', 'GATEHOUSE_MAIL_FROM must be one sender'],
  ['GATEHOUSE_MAIL_FROM', 'Acme <a@example.com>, b@example.com', 'GATEHOUSE_MAIL_FROM must be one sender'],
  ['GATEHOUSE_NAME', 'x'.repeat(61), 'GATEHOUSE_NAME must have at most 60 characters; this one has 61.'],
  ['GATEHOUSE_NAME', 'Acme\nBcc: eve@evil.example', 'GATEHOUSE_NAME must be one line of text, without control characters.'],
  ['GATEHOUSE_NAME', 'Acme \u202egnp', 'GATEHOUSE_NAME must be one line of text, without control characters.'],
  ['GATEHOUSE_NAME', 'Acme <a@example.com>', 'GATEHOUSE_NAME must not contain <, >, " or \\.'],
  ['GATEHOUSE_ACCENT', 'bleu', 'GATEHOUSE_ACCENT must be one opaque CSS color, for example #0b6b5d, teal or oklch(0.48 0.09 180).'],
  ['GATEHOUSE_ACCENT', '#0b6b5d80', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'transparent', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'currentcolor', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'ButtonText', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'var(--x, red)', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'light-dark(red, blue)', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'red;} body{display:none', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', 'red blue', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_ACCENT', '#12345', 'GATEHOUSE_ACCENT must be one opaque CSS color'],
  ['GATEHOUSE_NOTICE', 'x'.repeat(241), 'GATEHOUSE_NOTICE must have at most 240 characters; this one has 241.'],
  ['GATEHOUSE_NOTICE', 'One.\nTwo.', 'GATEHOUSE_NOTICE must be one line of text, without control characters.'],
  ['GATEHOUSE_HELP_URL', 'acme.example/help', 'GATEHOUSE_HELP_URL must be an http, https or mailto address'],
  ['GATEHOUSE_HELP_URL', 'mailto:', 'GATEHOUSE_HELP_URL must be an http, https or mailto address'],
  ['GATEHOUSE_PRIVACY_URL', 'javascript:alert(1)', 'GATEHOUSE_PRIVACY_URL must be an http, https or mailto address'],
  ['GATEHOUSE_PRIVACY_URL', 'https://user:secret@acme.example/', 'GATEHOUSE_PRIVACY_URL must be an http, https or mailto address'],
  ['GATEHOUSE_IMPRINT_URL', 'https://acme.example/"><script>', 'GATEHOUSE_IMPRINT_URL must be an http, https or mailto address'],
  ['GATEHOUSE_OUTAGE_GRACE', '901', 'GATEHOUSE_OUTAGE_GRACE must be a whole number of seconds from 0 to 900.'],
  [
    'GATEHOUSE_OUTAGE_GRACE',
    '60',
    'GATEHOUSE_OUTAGE_GRACE requires PostgreSQL: a SQLite database is a file of this server and has no outages.',
  ],
  [
    'GATEHOUSE_OPEN_DOOR_ALARM',
    'on',
    'GATEHOUSE_OPEN_DOOR_ALARM has no effect unless GATEHOUSE_PROTECTED_ORIGINS or GATEHOUSE_RULES names an origin.',
  ],
  ['GATEHOUSE_DRAIN', '601', 'GATEHOUSE_DRAIN must be a whole number of seconds from 0 to 600.'],
  ['GATEHOUSE_DRAIN', '5s', 'GATEHOUSE_DRAIN must be a whole number of seconds from 0 to 600.'],
  ['GATEHOUSE_HASH_THREADS', '0', 'GATEHOUSE_HASH_THREADS must be a whole number from 1 to 999.'],
  ['GATEHOUSE_HASH_THREADS', '1.5', 'GATEHOUSE_HASH_THREADS must be a whole number from 1 to 999.'],
  ['GATEHOUSE_HASH_THREADS', '1000', 'GATEHOUSE_HASH_THREADS must be a whole number from 1 to 999.'],
  ['GATEHOUSE_BREACHED_PASSWORDS', '/nowhere', 'GATEHOUSE_BREACHED_PASSWORDS: /nowhere cannot be read (ENOENT).'],
  ['GATEHOUSE_BREACHED_PASSWORDS', import.meta.filename, 'GATEHOUSE_BREACHED_PASSWORDS: '],
  ['GATEHOUSE_METRICS_LISTEN', 'everywhere', 'GATEHOUSE_METRICS_LISTEN must be host:port'],
  ['GATEHOUSE_GOOGLE_CLIENT_ID', 'id', 'GATEHOUSE_GOOGLE_CLIENT_SECRET must be set as well, for Google sign-in'],
  ['GATEHOUSE_SSO_PROVISION', 'yes', 'GATEHOUSE_SSO_PROVISION must be on or off'],
  ['GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE', 'true', 'GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE must be on or off'],
  ['GATEHOUSE_SSO_TRUSTED', 'google,facebook', 'GATEHOUSE_SSO_TRUSTED must name providers'],
  ['GATEHOUSE_SSO_GROUPS', 'oncall', 'GATEHOUSE_SSO_GROUPS: ‘oncall’ must be like azure:8b1f0c3a=oncall'],
  ['GATEHOUSE_SSO_GROUPS', 'azure:x=administrators', 'and not be administrators, users, everyone, pass or services'],
  ['GATEHOUSE_SSO_GROUPS', 'azure:x=services', 'and not be administrators, users, everyone, pass or services'],
  ['GATEHOUSE_SSO_GROUPS', 'azure:x=oncall,,pak:y=sre', 'GATEHOUSE_SSO_GROUPS: ‘’ must be like'],
  ['GATEHOUSE_SSO_GROUPS', 'facebook:x=oncall', 'GATEHOUSE_SSO_GROUPS: ‘facebook:x=oncall’ must be like'],
  ['GATEHOUSE_PROVIDERS', 'google,facebook', 'GATEHOUSE_PROVIDERS must be none, or name each provider once'],
  ['GATEHOUSE_PROVIDERS', 'google,google', 'GATEHOUSE_PROVIDERS must be none, or name each provider once'],
  ['GATEHOUSE_PROVIDERS', 'none,pak', 'GATEHOUSE_PROVIDERS must be none, or name each provider once'],
  ['GATEHOUSE_PROVIDERS', 'google,', 'GATEHOUSE_PROVIDERS must be none, or name each provider once'],
  ['GATEHOUSE_PROVIDERS', 'Google', 'GATEHOUSE_PROVIDERS must be none, or name each provider once'],
  ['GATEHOUSE_SECOND_FACTOR', 'maybe', 'GATEHOUSE_SECOND_FACTOR must be'],
])('%s=%s is reported in one clear sentence', (name, value, sentence) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(sentence)])
})

test('refuses the start page as the dashboard address, because it would redirect to itself', () => {
  for (const [publicUrl, dashboard] of [
    ['https://example.com', '/'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com', 'https://EXAMPLE.com:443/?x=1#y'],
    ['https://example.com/gate', '/gate'],
    ['https://example.com/gate/', 'https://example.com/x/../gate/?x'],
  ] as const)
    expect(problemsOf({ GATEHOUSE_PUBLIC_URL: publicUrl, GATEHOUSE_DASHBOARD_URL: dashboard })).toEqual([
      `GATEHOUSE_DASHBOARD_URL: ${dashboard} is Gatehouse’s own start page, which would redirect to itself; set the address of the dashboard, or, if Gatehouse is below a path, add the path to GATEHOUSE_PUBLIC_URL.`,
    ])
  for (const dashboard of [
    '/',
    'https://example.com/',
    '/gateway',
    '/gate/account',
    'https://example.com:8443/gate/',
    'http://example.com/gate/',
  ])
    expect(problemsOf({ GATEHOUSE_PUBLIC_URL: 'https://example.com/gate', GATEHOUSE_DASHBOARD_URL: dashboard })).toEqual([])
})

test('accepts a query in the dashboard address', () => {
  const dashboardUrl = 'https://grafana.example.com/d/abc?orgId=1#panel'
  expect(readConfig({ GATEHOUSE_DATA_DIR: folder(), GATEHOUSE_DASHBOARD_URL: dashboardUrl }).dashboardUrl).toBe(dashboardUrl)
})

test('takes the product name from GATEHOUSE_NAME, or else from the mail sender', () => {
  const at = (env: Record<string, string>) => {
    const { brand, productName, mailFrom } = readConfig({ GATEHOUSE_DATA_DIR: folder(), ...env })
    expect(productName).toBe(brand.name)
    return [brand.name, mailFrom]
  }
  const sender = { GATEHOUSE_MAIL_FROM: 'Acme Monitoring <sign-in@acme.example>' }
  expect(at({})).toEqual(['Gatehouse', 'Gatehouse <gatehouse@localhost>'])
  expect(at(sender)).toEqual(['Acme Monitoring', 'Acme Monitoring <sign-in@acme.example>'])
  expect(at({ ...sender, GATEHOUSE_NAME: ' Acme ' })).toEqual(['Acme', 'Acme Monitoring <sign-in@acme.example>'])
  expect(at({ GATEHOUSE_NAME: 'Acme' })).toEqual(['Acme', 'Acme <gatehouse@localhost>'])
  expect(at({ GATEHOUSE_NAME: 'Acme, Inc.' })).toEqual(['Acme, Inc.', '"Acme, Inc." <gatehouse@localhost>'])
  expect(at({ GATEHOUSE_MAIL_FROM: 'a@acme.example' })).toEqual(['Gatehouse', 'a@acme.example'])
})

test.each([
  ['#0b6b5d', '#0b6b5d'],
  ['#06C', '#0066cc'],
  ['Teal', '#008080'],
  ['rgb(11 107 93)', '#0b6b5d'],
  ['hsl(172deg 81% 23%)', '#0b6a5d'],
  ['hwb(200 10% 40%)', '#1a6e99'],
  ['oklch(0.48 0.09 180)', '#006d5f'],
  ['lab(40% 20 20)', '#83513f'],
  ['color(display-p3 0.1 0.4 0.3)', '#00664c'],
  ['color-mix(in srgb, black, #0b6b5d 90%)', '#0a6054'],
])('accepts %s as the accent', (accent, fill) => {
  expect(readConfig({ GATEHOUSE_DATA_DIR: folder(), GATEHOUSE_ACCENT: accent }).brand.accent?.light.fill).toBe(fill)
})

test('accepts web and mail addresses as links of the brand', () => {
  const { brand } = readConfig({
    GATEHOUSE_DATA_DIR: folder(),
    GATEHOUSE_HELP_URL: 'mailto:help@acme.example?subject=Sign-in',
    GATEHOUSE_PRIVACY_URL: 'https://acme.example/privacy?a=1&b=2#top',
  })
  expect(brand.links).toEqual({
    help: 'mailto:help@acme.example?subject=Sign-in',
    privacy: 'https://acme.example/privacy?a=1&b=2#top',
  })
})

test('reports all problems at once, without the values of secrets', () => {
  const problems = problemsOf({ GATEHOUSE_LISTEN: 'x', GATEHOUSE_MASTER_KEY: 'hunter2', GATEHOUSE_NOPE: '1' })
  expect(problems).toHaveLength(3)
  expect(problems.join()).not.toContain('hunter2')
})

test('CR-03: production requires a master key, https and a mail server', () => {
  expect(problemsOf(production)).toEqual([])
  expect(problemsOf({ ...production, GATEHOUSE_MASTER_KEY: '' })).toEqual([expect.stringContaining('GATEHOUSE_MASTER_KEY')])
  expect(problemsOf({ ...production, GATEHOUSE_PUBLIC_URL: '' })).toEqual([expect.stringContaining('GATEHOUSE_PUBLIC_URL')])
  expect(problemsOf({ ...production, GATEHOUSE_PUBLIC_URL: 'http://example.com' })).toEqual([
    expect.stringContaining('GATEHOUSE_PUBLIC_URL'),
  ])
  expect(problemsOf({ ...production, GATEHOUSE_SMTP_URL: '' })).toEqual([expect.stringContaining('GATEHOUSE_SMTP_URL')])
})

test('production has no administrator by default, even with GATEHOUSE_ADMIN_PASSWORD', () => {
  const config = readConfig({ GATEHOUSE_DATA_DIR: folder(), ...production, GATEHOUSE_ADMIN_PASSWORD: 'some long password' })
  expect([config.firstAdmin, config.admins.size]).toEqual([undefined, 0])
})

test('reads the master key from a file', () => {
  const file = join(folder(), 'key')
  writeFileSync(file, `${key}\n`)
  const { masterKeys } = readConfig({ GATEHOUSE_DATA_DIR: folder(), GATEHOUSE_MASTER_KEY_FILE: file })
  expect(masterKeys()).toEqual([Buffer.from(readFileSync(file, 'utf8'), 'base64')])
  expect(problemsOf({ GATEHOUSE_MASTER_KEY: key, GATEHOUSE_MASTER_KEY_FILE: file })).toEqual([expect.stringContaining('both')])
})

const azure = { GATEHOUSE_AZURE_CLIENT_ID: 'id', GATEHOUSE_AZURE_CLIENT_SECRET: 'secret' }
const pak = { GATEHOUSE_PAK_CLIENT_ID: 'id', GATEHOUSE_PAK_CLIENT_SECRET: 'secret' }

test('requires all variables of a provider; accepts an http issuer only on this machine and during development', () => {
  const providersOf = (env: Record<string, string>) => readConfig({ GATEHOUSE_DATA_DIR: folder(), ...env }).providers
  expect(providersOf({})).toEqual([])
  expect(providersOf({ ...azure, GATEHOUSE_AZURE_TENANT: 'contoso.example' })).toEqual([
    {
      provider: 'Azure',
      name: 'azure',
      issuer: 'https://login.microsoftonline.com/contoso.example/v2.0',
      clientId: 'id',
      clientSecret: 'secret',
      trusted: false,
      oneTenant: true,
      tenants: [],
      groups: new Map(),
    },
  ])
  const [one, two] = ['11111111-2222-3333-4444-555555555555', '66666666-7777-8888-9999-AAAAAAAAAAAA']
  expect(providersOf({ ...azure, GATEHOUSE_AZURE_TENANT: `${one}, ${two}` })).toMatchObject([
    { issuer: 'https://login.microsoftonline.com/organizations/v2.0', oneTenant: false, tenants: [one, two.toLowerCase()] },
  ])
  const withPrivate = `${one},9188040d-6c67-4c5b-b112-36a304b66dad`
  expect(providersOf({ ...azure, GATEHOUSE_AZURE_TENANT: withPrivate })[0]?.issuer).toContain('/common/v2.0')
  for (const list of [`${one},contoso.example`, `${one},`, `${one},common`])
    expect(problemsOf({ ...azure, GATEHOUSE_AZURE_TENANT: list })).toEqual([expect.stringContaining('GATEHOUSE_AZURE_TENANT')])
  for (const tenant of ['common', 'Common', 'ORGANIZATIONS', '9188040D-6C67-4C5B-B112-36A304B66DAD'])
    expect(providersOf({ ...azure, GATEHOUSE_AZURE_TENANT: tenant })[0]?.oneTenant).toBe(false)
  const named = { GATEHOUSE_AZURE_TENANT: 'contoso.example', GATEHOUSE_AZURE_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }
  expect(providersOf({ ...azure, ...named })[0]?.oneTenant).toBe(false)
  expect(problemsOf({ ...pak, GATEHOUSE_PAK_ISSUER: 'https://id.example/.well-known/openid-configuration' })).toEqual([
    expect.stringContaining('GATEHOUSE_PAK_ISSUER'),
  ])
  expect(providersOf({ ...pak, GATEHOUSE_PAK_ISSUER: 'http://localhost:9000', GATEHOUSE_SSO_TRUSTED: 'pak' })[0]?.trusted).toBe(true)
  expect(problemsOf({ ...production, ...pak, GATEHOUSE_PAK_ISSUER: 'http://localhost:9000' })).toEqual([
    expect.stringContaining('GATEHOUSE_PAK_ISSUER must be an https address'),
  ])
  expect(problemsOf(azure)).toEqual([expect.stringContaining('GATEHOUSE_AZURE_TENANT must be set as well, for Microsoft sign-in')])
  expect(problemsOf(pak)).toEqual(
    expect.arrayContaining([expect.stringContaining('GATEHOUSE_PAK_ISSUER must be set as well, for Pak sign-in')]),
  )
  expect(problemsOf({ ...pak, GATEHOUSE_PAK_ISSUER: 'http://idp.example' })).toEqual([expect.stringContaining('GATEHOUSE_PAK_ISSUER')])
})

test('requires complete addresses of push notification servers, a token for Gotify, and https in production', () => {
  const urls = { GATEHOUSE_NTFY_URL: 'http://ntfy.example.com/in/', GATEHOUSE_GOTIFY_URL: 'http://gotify.example.com' }
  const config = readConfig({ GATEHOUSE_DATA_DIR: folder(), ...urls, GATEHOUSE_GOTIFY_TOKEN: 'some-token' })
  expect(config.pushServers).toEqual({
    ntfy: 'http://ntfy.example.com/in',
    gotify: { url: 'http://gotify.example.com', token: 'some-token' },
  })
  expect(problemsOf(urls)).toEqual(['GATEHOUSE_GOTIFY_TOKEN must be set as well: the token of a Gotify application.'])
  expect(problemsOf({ GATEHOUSE_GOTIFY_TOKEN: 'some-token', GATEHOUSE_NTFY_URL: 'ntfy.example.com' })).toEqual([
    'GATEHOUSE_NTFY_URL must be an http or https address without query, for example https://ntfy.example.com.',
    'GATEHOUSE_GOTIFY_URL must be set as well.',
  ])
  expect(problemsOf({ ...production, GATEHOUSE_NTFY_URL: 'http://ntfy.example.com' })).toEqual([
    'GATEHOUSE_NTFY_URL must be an https address in production.',
  ])
})

test.each([
  [{ GATEHOUSE_SECOND_FACTOR: 'phishing-resistant' }, { of: 'everyone', from: 0 }],
  [
    { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant-administrators', GATEHOUSE_PHISHING_RESISTANT_FROM: '2027-03-01' },
    { of: 'administrators', from: Date.UTC(2027, 2, 1) },
  ],
  [{ GATEHOUSE_SECOND_FACTOR: 'required' }, undefined],
])('with %j, every user needs a second factor, passwords need 8 characters, and the passkey rule is %j', (env, phishingResistance) => {
  const config = readConfig({ GATEHOUSE_DATA_DIR: folder(), ...env })
  expect(config).toMatchObject({ secondFactor: 'required', phishingResistance, minPasswordLength: 8 })
})

test.each([
  [
    { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant', GATEHOUSE_PHISHING_RESISTANT_FROM: 'soon' },
    'GATEHOUSE_PHISHING_RESISTANT_FROM must be a day like 2027-03-01.',
  ],
  [
    { GATEHOUSE_PHISHING_RESISTANT_FROM: '2027-03-01' },
    'GATEHOUSE_PHISHING_RESISTANT_FROM has no effect unless GATEHOUSE_SECOND_FACTOR is phishing-resistant.',
  ],
  [
    { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant', GATEHOUSE_PUBLIC_URL: 'http://192.0.2.7' },
    'GATEHOUSE_SECOND_FACTOR: no user could add the passkey that it asks for, because 192.0.2.7 is an IP address, and passkeys need a domain name.',
  ],
])('refuses %j', (env, problem) => expect(problemsOf(env)).toEqual([problem]))
