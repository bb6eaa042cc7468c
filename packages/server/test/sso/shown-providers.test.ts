import { plainPages } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { startServer } from '../support/harness.ts'

const production = {
  NODE_ENV: 'production',
  GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
  GATEHOUSE_SMTP_URL: 'smtp://mail.example.com',
}
const google = { GATEHOUSE_GOOGLE_CLIENT_ID: 'id', GATEHOUSE_GOOGLE_CLIENT_SECRET: 'secret' }
const azure = { GATEHOUSE_AZURE_CLIENT_ID: 'id', GATEHOUSE_AZURE_CLIENT_SECRET: 'secret', GATEHOUSE_AZURE_TENANT: 'contoso.example' }

const masterKey = { GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }

const all = ['google', 'azure', 'pak']

/** The provider buttons of the sign-in page, which must stay the same after a form sent without JavaScript. */
const shown = async (env: Record<string, string>) => {
  const server = await startServer({ env })
  const first = await server.app.inject('/')
  const payload = new URLSearchParams({ username: 'ada@example.com', password: 'wrong' }).toString()
  const origin = env.GATEHOUSE_PUBLIC_URL ?? 'http://localhost:8080'
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin }
  const sent = await server.app.inject({ method: 'POST', url: plainPages.login, headers, payload })
  const cookie = [sent.headers['set-cookie'] ?? []]
    .flat()
    .map(one => one.split(';')[0])
    .join('; ')
  const after = await server.app.inject({ url: '/', headers: { cookie } })
  expect(after.body.slice(0, after.body.indexOf('<script'))).toContain('You have failed to login')
  const [one, other] = [first, after].map(({ body }) => ({
    links: [...body.matchAll(/ssoLogin\?provider=(\w+)/g)].map(([, name]) => name),
    divider: body.slice(0, body.indexOf('<script')).includes('Or Sign in with'),
    props: JSON.parse(/id="gatehouse-props">([^<]*)</.exec(body)?.[1] ?? 'null').providers ?? all,
  }))
  expect(other).toEqual(one)
  // The script hydrates what the server rendered, so both must have the same list.
  expect(one?.props).toEqual(one?.links)
  expect(one?.divider).toBe(one?.links.length !== 0)
  return one?.links
}

test.each<[string, Record<string, string>, string[]]>([
  ['all three in development', {}, all],
  ['those of GATEHOUSE_PROVIDERS in development, configured or not', { GATEHOUSE_PROVIDERS: 'pak, azure' }, ['pak', 'azure']],
  ['Pak alone in production when nothing is configured', { ...production, ...masterKey }, ['pak']],
  ['the configured ones and Pak in production', { ...production, ...masterKey, ...azure }, ['azure', 'pak']],
  [
    'those of GATEHOUSE_PROVIDERS in production',
    { ...production, ...masterKey, ...google, ...azure, GATEHOUSE_PROVIDERS: 'azure,google' },
    ['azure', 'google'],
  ],
  ['none, and no divider, when GATEHOUSE_PROVIDERS is none', { ...production, ...masterKey, ...google, GATEHOUSE_PROVIDERS: 'none' }, []],
])('the sign-in page offers %s', async (_, env, expected) => {
  expect(await shown(env)).toEqual(expected)
})

test('a production server refuses to start with a button for a provider that is not configured', () => {
  const read = (env: Record<string, string>) => () =>
    readConfig({ ...production, ...masterKey, GATEHOUSE_DATA_DIR: process.env.TMPDIR ?? '/tmp', ...env })
  expect(read({ GATEHOUSE_PROVIDERS: 'google,pak' })).toThrow(
    'GATEHOUSE_PROVIDERS names google, which is not configured: set GATEHOUSE_GOOGLE_CLIENT_ID, or leave google out.',
  )
  expect(read({ ...google, GATEHOUSE_PROVIDERS: 'google,pak' })).not.toThrow()
})
