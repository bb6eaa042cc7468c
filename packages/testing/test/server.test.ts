import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGatehouse } from '../src/index.ts'
import { checkNode } from '../src/options.ts'
import { accountStatus, start } from './support.ts'

const isUp = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

test('several servers run at once, each with its own users, and leave no files behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const [one, other] = await Promise.all(['one', 'other'].map(name => start({ users: [{ email: `${name}@example.com` }] })))
  if (!one || !other) throw new Error('there are two')
  expect(one.url).not.toBe(other.url)
  expect(one.user('one@example.com').password).not.toBe(other.user('other@example.com').password)
  const { headers } = await one.signIn('one@example.com')
  expect(await accountStatus(one.url, headers)).toBe(200)
  expect(await accountStatus(other.url, headers)).not.toBe(200)
  expect(
    readdirSync(folder, { recursive: true }).filter(name => !/^(gatehouse-testing-\w+|node-compile-cache.*)$/.test(String(name))),
  ).toEqual([])
  await Promise.all([one.stop(), other.stop()])
  expect(await Promise.all([isUp(one.url), isUp(other.url)])).toEqual([false, false])
  expect(readdirSync(folder)).toEqual([])
  await expect(one.addUser({ email: 'late@example.com' })).rejects.toThrow('The Gatehouse server has ended')
  await one.stop()
})

test('takes settings, groups and administrators, and adds users later', async () => {
  const gatehouse = await start({
    env: { GATEHOUSE_NAME: 'Acme', GATEHOUSE_PUBLIC_URL: 'https://sign-in.test/auth' },
    users: [{ email: 'root@example.com', administrator: true, secondFactor: 'totp' }],
  })
  expect(gatehouse.url).toBe('https://sign-in.test/auth')
  const ada = await gatehouse.addUser({ email: 'Ada@Example.com', groups: ['ops'], secondFactor: 'totp', passkey: true })
  expect(ada).toMatchObject({ email: 'ada@example.com', groups: ['ops'], administrator: false })
  const session = await gatehouse.signIn('ada@example.com', { with: 'passkey' })
  expect(session.cookies.find(({ name }) => name === '__Host-gatehouse-session')).toMatchObject({ domain: 'sign-in.test', secure: true })
  await expect(gatehouse.addUser({ email: 'ada@example.com' })).rejects.toThrow('A user ada@example.com already exists.')
  await expect(gatehouse.addUser({ email: 'x@example.com', groups: ['Not Allowed'] })).rejects.toThrow('the group "Not Allowed" must have')
  await expect(gatehouse.addUser({ email: 'x@example.com', administrator: true })).rejects.toThrow('can be administrators')
  expect(gatehouse.users.map(({ email }) => email)).toEqual(['root@example.com', 'ada@example.com'])
})

test('an administrator opens the administration page, and others do not', async () => {
  const gatehouse = await start({
    users: [
      { email: 'root@example.com', administrator: true, secondFactor: 'totp' },
      { email: 'ada@example.com', secondFactor: 'totp' },
    ],
  })
  const statusOf = async (email: string) =>
    (await fetch(`${gatehouse.url}/administration`, { headers: (await gatehouse.signIn(email)).headers, redirect: 'manual' })).status
  expect(await statusOf('root@example.com')).toBe(200)
  expect(await statusOf('ada@example.com')).not.toBe(200)
})

test('refuses a port that is in use', async () => {
  const other = createServer()
  onTestFinished(() => void other.close())
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await expect(startGatehouse({ port })).rejects.toThrow(
    `Port ${port} is in use. Stop the program that uses it, or leave out the option port.`,
  )
})

test('says why a server did not start', async () => {
  await expect(startGatehouse({ env: { GATEHOUSE_NAMES: 'Acme' } })).rejects.toThrow('GATEHOUSE_NAMES is not a Gatehouse variable')
  await expect(startGatehouse({ env: { GATEHOUSE_RULES: '/nowhere.yml' } })).rejects.toThrow(
    /did not start: it ended with 1\.\n[\s\S]*nowhere\.yml/,
  )
  await expect(startGatehouse({ users: [{ email: 'a@b..c' }] })).rejects.toThrow('"a@b..c" is not an email address.')
  await expect(startGatehouse({ users: [{ email: 'a@example.com' }, { email: 'A@example.com' }] })).rejects.toThrow('already exists')
  await expect(startGatehouse({ timeout: 1 })).rejects.toThrow('did not start within 1 ms')
})

test.each([
  [{ user: [] }, 'startGatehouse has no option user. It has users, env, port, timeout.'],
  [{ users: [{ password: 'x' }] }, 'A user needs an email address, and this one has none.'],
  [{ users: [{ email: 'ada@example.com', admin: true }] }, 'A user has no option admin.'],
  [{ users: [{ email: 'ada@example.com', secondFactor: 'passkey' }] }, "secondFactor can only be 'totp'"],
  [{ users: [{ email: 'ada@example.com', password: null }] }, 'there is neither a password nor a passkey'],
  [{ users: [{ email: 'ada@example.com', password: '' }] }, 'the password is empty'],
  [{ env: { NODE_ENV: 'production' } }, 'env cannot set NODE_ENV: only settings of Gatehouse, which begin with GATEHOUSE_.'],
  [{ env: { GATEHOUSE_DATABASE_URL: 'postgres://db/app' } }, 'env cannot set GATEHOUSE_DATABASE_URL: the database is in memory.'],
  [{ port: 0 }, 'port must be a whole number from 1 to 65535, and not 0.'],
])('refuses the wrong options %j', async (options, message) => {
  await expect(startGatehouse({ ...Object(options) })).rejects.toThrow(message)
})

test('requires Node 24.9 or later, like the server', () => {
  expect(() => checkNode('24.8.0')).toThrow('@gatehouse/testing needs Node 24.9 or later, and this is Node 24.8.0.')
  expect(() => checkNode('20.20.2')).toThrow('needs Node 24.9')
  for (const version of ['24.9.0', '25.0.1']) expect(checkNode(version)).toBeUndefined()
})

/** Runs a program that starts a server and does not stop it. */
const runForgetful = (then: string) => {
  const index = JSON.stringify(new URL('../src/index.ts', import.meta.url).href)
  const program = `import { startGatehouse } from ${index}
const { url } = await startGatehouse({ users: [{ email: 'ada@example.com' }] })
console.log(url)
${then}`
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]).catch(error => error as { stdout: string })
}

test.each([
  ['ends', ''],
  ['is killed', "process.kill(process.pid, 'SIGKILL')"],
])('a server ends when the process that started it %s without stopping it', async (_, then) => {
  const { stdout } = await runForgetful(then)
  const url = stdout.trim()
  expect(url).toMatch(/^http:\/\/localhost:\d+$/)
  await expect.poll(() => isUp(url)).toBe(false)
})

test('the server ignores settings in the environment of the tests', async () => {
  vi.stubEnv('GATEHOUSE_NAME', 'From the shell')
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  const gatehouse = await start()
  expect(await (await fetch(gatehouse.url)).text()).not.toContain('From the shell')
})
