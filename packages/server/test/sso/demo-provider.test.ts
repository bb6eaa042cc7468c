import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoProvider } from '../../src/sso/demo-provider/demo-provider.ts'

const start = async () => {
  const demo = await startDemoProvider({ publicUrl: 'http://localhost:8080' })
  if (!demo) throw new Error('there is no demo provider')
  onTestFinished(demo.close)
  return demo
}

const authorize = ({ issuer, clientId, name }: Awaited<ReturnType<typeof start>>['providers'][number], change = {}) => {
  const query = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: `http://localhost:8080/auth/sso/${name}/callback`,
    scope: 'openid email profile',
    state: 's'.repeat(43),
    nonce: 'n'.repeat(43),
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    ...change,
  }
  return fetch(`${issuer}/auth?${new URLSearchParams(query)}`, { redirect: 'manual', headers: { accept: 'text/html' } })
}

test('the demo’s page says it is a demo, runs no script and cannot be framed', async () => {
  const { providers } = await start()
  expect(providers.map(({ provider, trusted }) => [provider, trusted])).toEqual([
    ['Google', false],
    ['Azure', false],
  ])
  for (const [provider, imitated] of [
    [providers[0], 'Google'],
    [providers[1], 'Microsoft'],
  ] as const) {
    if (!provider) throw new Error('it is missing')
    const begun = await authorize(provider)
    const cookie = begun.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ')
    const shown = await fetch(new URL(begun.headers.get('location') ?? '', provider.issuer), { headers: { cookie } })
    const text = await shown.text()
    expect([shown.status, text]).toEqual([200, expect.stringContaining(`Demo provider: this is not ${imitated}.`)])
    expect(text).not.toMatch(/<script|<form|https?:\/\//)
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'$/)
    // The demo does not continue another browser's sign-in.
    const visitor = await fetch(new URL(`${begun.headers.get('location')}/demo-1`, provider.issuer), { redirect: 'manual' })
    expect([visitor.status, visitor.headers.get('location')]).toEqual([400, null])
  }
})

test('the demo redirects only to Gatehouse’s callback, and requires PKCE', async () => {
  const { providers } = await start()
  const [google] = providers
  if (!google) throw new Error('it is missing')
  for (const redirect_uri of [
    'https://evil.example/',
    'http://localhost:8080/auth/sso/azure/callback',
    'http://localhost:8081/auth/sso/google/callback',
  ]) {
    const refused = await authorize(google, { redirect_uri })
    expect([redirect_uri, refused.status, refused.headers.get('location')]).toEqual([redirect_uri, 400, null])
    expect(await refused.text()).toContain('This sign-in can’t continue')
  }
  const without = await authorize(google, { code_challenge: '', code_challenge_method: '' })
  expect(without.headers.get('location') ?? '').not.toContain('/who/')
})

test('the demo serves this machine only, with new secrets at each start', async () => {
  const [one, other] = [await start(), await start()]
  const secrets = [...one.providers, ...other.providers].map(({ clientSecret }) => clientSecret)
  expect(new Set(secrets).size).toBe(4)
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  const port = Number(new URL(one.providers[0]?.issuer ?? '').port)
  const addresses = Object.values(networkInterfaces())
    .flat()
    .filter(address => address?.family === 'IPv4' && !address.internal)
  for (const address of addresses) {
    const answers = await new Promise(resolve => {
      const socket = connect(port, address?.address)
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    })
    expect(answers).toBe(false)
  }
})

test('offers no demo when browsers come from other machines', async () => {
  for (const publicUrl of ['https://sign-in.example.com', 'http://192.168.1.10:8080', 'http://localhost.example.com'])
    expect(await startDemoProvider({ publicUrl })).toBeUndefined()
})

test('offers no demo and prints no error if its package is not installed; an installed package prints nothing', async () => {
  const room = JSON.stringify(join(import.meta.dirname, '../../src/sso/demo-provider/demo-provider.ts'))
  const script = `const { startDemoProvider } = await import(${room})
    const demo = await startDemoProvider({ publicUrl: 'http://localhost:1' })
    process.stdout.write(demo ? 'there' : 'not there')
    // The first request loads the package.
    if (demo) process.stdout.write(String((await fetch(demo.providers[0].issuer + '/.well-known/openid-configuration')).status))
    await demo?.close()`
  const missing = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => {
      if (name === 'oidc-provider') throw Object.assign(new Error('it is not installed'), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    } })\n`
  const run = (code: string) => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])
  expect(await run(missing + script)).toEqual({ stdout: 'not there', stderr: '' })
  expect(await run(script)).toEqual({ stdout: 'there200', stderr: '' })
})
