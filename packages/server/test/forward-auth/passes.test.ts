import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountRoutes, administrationRoutes, routes } from '@gatehouse/wire'
import { decodeJwt } from 'jose'
import { expect, test, vi } from 'vitest'
import type { Deps } from '../../src/cli/deps.ts'
import { addPass, endOnePass, listAllPasses } from '../../src/cli/passes.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, limits, minutes } from '../../src/limits.ts'
import { listMails } from '../../src/mail/outbox.store.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { enroll } from '../support/authenticator.ts'
import { folder } from '../support/configuration.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { check, navigates } from './asked.ts'

const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
const prometheus = 'https://prometheus.example.com'

const rulesText = `
groups:
  oncall: [grace@example.com]
rules:
  - { to: ${prometheus}/admin/*, allow: [administrators, pass] }
  - { to: ${prometheus}/admin, allow: [administrators, pass] }
  - { to: ${prometheus}/secret/*, allow: [users, pass], require: second-factor }
  - { to: ${prometheus}/metrics, allow: pass }
  - { to: ${prometheus}/*, allow: [users, pass] }
  - { to: https://alerts.example.com/*, allow: ['group:oncall', pass] }
  - { to: https://status.example.com/*, allow: everyone }
  - { to: https://closed.example.com/*, deny: true }
  - { to: https://grafana.example.com/*, allow: users }
`
type Server = Awaited<ReturnType<typeof startServer>>

const start = async (more: Record<string, string> = {}) => {
  const file = join(folder(), 'rules.yaml')
  await writeFile(file, rulesText)
  const server = await startServer({
    env: {
      GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
      GATEHOUSE_COOKIE_DOMAIN: 'example.com',
      GATEHOUSE_ADMINS: admin.username,
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      GATEHOUSE_RULES: file,
      ...more,
    },
  })
  for (const user of [ada, admin, grace]) await server.addUser(user)
  return server
}
const enter = async (server: Server, user: typeof ada) => {
  const browser = server.openBrowser()
  await browser.enter(user)
  return browser
}

type Asked = Partial<{ name: string; to: string[]; methods: string[]; from: string[]; days: number }>
const all = ['prometheus', 'alerts', 'status', 'closed', 'grafana'].map(name => `https://${name}.example.com/*`)
const admitting = all.slice(0, 2)
const request = (asked: Asked) => ({ name: 'Backup', to: admitting, methods: [], from: [], days: 30, ...asked })
const create = async (browser: Browser, asked: Asked = {}) => (await browser.call(accountRoutes.userPassAdd, request(asked))).pass
const tryToCreate = async (browser: Browser, asked: Asked = {}) => {
  const { statusCode, body } = await browser.send('POST', accountRoutes.userPassAdd.path, request(asked))
  return [statusCode, body] as const
}
const idOf = async (browser: Browser) => (await browser.call(accountRoutes.userPasses, {})).passes[0]?.passId ?? ''

const basic = (pass: string, user = '') => `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`
const show = (server: Server, pass: string, address: string, headers: Record<string, string> = {}, path?: string) =>
  check(server.openBrowser(), address, { authorization: `Bearer ${pass}`, ...headers }, path)
const statusOf = async (server: Server, pass: string, address = `${prometheus}/api/v1/query`, headers = {}) =>
  (await show(server, pass, address, headers)).status

const cli = ({ config, db, clock }: Server, args: string[], options: Record<string, string> = {}) => {
  const lines: string[] = []
  const data = vi.fn()
  const deps = { args, options: new Map(Object.entries(options)), write: (line: string) => void lines.push(line), data }
  return { deps: { ...deps, config, database: { db, clock: { now: () => clock.at } } } as unknown as Deps, lines, data }
}
const addServicePass = async (server: Server, options: Record<string, string>) => {
  const { deps, lines } = cli(server, ['prometheus'], options)
  await addPass(deps)
  return lines[0] ?? ''
}

test('a pass opens what its owner may open, where a rule names pass, and passes the owner’s identity on', async () => {
  const server = await start()
  const [ofAda, ofAdmin, ofGrace] = await Promise.all([ada, admin, grace].map(async user => create(await enter(server, user))))
  const service = await addServicePass(server, { to: admitting.join() })
  const table: [string, number[]][] = [
    [`${prometheus}/api/v1/query?query=up`, [200, 200, 200, 200]],
    [`${prometheus}/admin/tsdb`, [403, 200, 403, 200]],
    [`${prometheus}/ADMIN`, [403, 200, 403, 200]],
    // The owner could open it only with a second factor, which a pass does not replace.
    [`${prometheus}/secret/x`, [403, 403, 403, 403]],
    // No user is named, so only services may.
    [`${prometheus}/metrics`, [403, 403, 403, 200]],
    ['https://alerts.example.com/api', [403, 403, 200, 200]],
    ['https://grafana.example.com/', [403, 403, 403, 403]],
    ['https://closed.example.com/', [403, 403, 403, 403]],
    [`${prometheus}//admin/x`, [403, 403, 403, 403]],
  ]
  for (const [address, expected] of table) {
    const statuses = []
    for (const pass of [ofAda, ofAdmin, ofGrace, service]) statuses.push(await statusOf(server, pass ?? '', address))
    expect([address, statuses]).toEqual([address, expected])
  }
  const identities = []
  for (const pass of [ofAda, ofAdmin, ofGrace, service]) {
    const { headers } = await show(server, pass ?? '', `${prometheus}/api`)
    const { sub, acr, email } = decodeJwt(String(headers['gatehouse-assertion']))
    expect([acr, email, headers['gatehouse-pass']]).toEqual(['pass', headers['remote-email'], 'yes'])
    identities.push([headers['remote-user'], headers['remote-groups'], sub?.startsWith('service:')])
  }
  expect(identities).toEqual([
    ['ada@example.com', 'users', false],
    ['admin@example.com', 'administrators', false],
    ['grace@example.com', 'users,oncall', false],
    ['prometheus@service.invalid', 'services', true],
  ])
})

test('a pass works as a bearer token and as a Basic password, and other Authorization headers are for the application', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  const pass = await create(browser)
  const address = `${prometheus}/api`
  for (const authorization of [`Bearer ${pass}`, basic(pass), basic(pass, 'prometheus')])
    expect((await show(server, pass, address, { authorization })).status).toBe(200)
  // An application's own token neither opens the door nor closes it, and never counts as a wrong pass.
  for (let i = 0; i < limits.rates.passes.most + 5; i++)
    for (const authorization of ['Bearer glsa_abc', basic('her password', 'ada')]) {
      const visitor = server.openBrowser({ address: '127.0.0.1' })
      expect((await check(visitor, address, { authorization })).status).toBe(401)
    }
  const answered = await check(browser, address, { authorization: 'Bearer glsa_abc' }, '/auth/forward')
  expect([answered.status, answered.headers.authorization, answered.headers['gatehouse-pass']]).toEqual([200, 'Bearer glsa_abc', undefined])
  const byPass = await show(server, pass, address, {}, '/auth/forward')
  expect([byPass.status, byPass.headers.authorization]).toEqual([200, undefined])
})

test('refuses a wrong pass with 401 and neither a redirect nor a challenge, and limits wrong ones for each network', async () => {
  const server = await start()
  const pass = await create(await enter(server, ada))
  const wrong = `${pass.slice(0, 30)}${pass[30] === 'a' ? 'b' : 'a'}${pass.slice(31)}`
  const unknown = 'gh_pass_'
  const from = server.openBrowser({ address: '203.0.113.9' })
  const statuses = []
  for (let i = 0; i <= limits.rates.passes.most; i++) {
    const authorization = `Bearer ${i % 2 ? wrong : unknown}`
    const answer = await check(from, `${prometheus}/api`, { ...navigates, authorization })
    expect([answer.location, answer.headers['www-authenticate']]).toEqual([undefined, undefined])
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([...Array(limits.rates.passes.most).fill(401), 429])
  // The right one waits too: otherwise the answer would tell which is right.
  expect((await check(from, `${prometheus}/api`, { authorization: `Bearer ${pass}` })).status).toBe(429)
  expect(await statusOf(server, pass)).toBe(200)
})

test('a pass opens nothing of Gatehouse itself, sets no cookie, and is stored as a hash', async () => {
  const server = await start()
  const pass = await create(await enter(server, admin))
  const browser = server.openBrowser()
  for (const authorization of [`Bearer ${pass}`, basic(pass)]) {
    for (const path of [accountRoutes.userAccount.path, administrationRoutes.overview.path, accountRoutes.userPasses.path]) {
      const without = await browser.send('POST', path, {})
      const { statusCode, cookies } = await browser.send('POST', path, {}, { authorization })
      expect([path, statusCode, cookies]).toEqual([path, without.statusCode, []])
      expect(statusCode).toBeGreaterThanOrEqual(401)
    }
    expect((await browser.send('POST', routes.sessionCheck.path, {}, { authorization })).json()).toEqual({ signedIn: false })
  }
  const row = await server.db.selectFrom('passes').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(pass.slice(30, 73))
})

test('scope: a pass opens only its addresses, methods and networks, however the address is spelled', async () => {
  const server = await start()
  const pass = await create(await enter(server, admin), {
    to: [`${prometheus}/api/*`],
    methods: ['GET'],
    from: ['127.0.0.0/8', '10.0.0.0/8'],
  })
  const client = (address: string, uri: string, method = 'GET') =>
    check(server.openBrowser({ address }), `${prometheus}${uri}`, { authorization: `Bearer ${pass}`, 'x-forwarded-method': method })
  const table: [string, string, string, number][] = [
    ['127.0.0.1', '/api/v1/query', 'GET', 200],
    ['127.0.0.1', '/api/v1/query?x=/admin', 'HEAD', 200],
    ['10.1.2.3', '/api/v1/query', 'GET', 200],
    ['203.0.113.9', '/api/v1/query', 'GET', 403],
    ['127.0.0.1', '/api/v1/query', 'POST', 403],
    ['127.0.0.1', '/graph', 'GET', 403],
    ['127.0.0.1', '/api/../admin/x', 'GET', 403],
    ['127.0.0.1', '/api/%2e%2e/admin/x', 'GET', 403],
    ['127.0.0.1', '/api%2F..%2Fadmin', 'GET', 403],
    ['127.0.0.1', '/admin/api/x', 'GET', 403],
  ]
  for (const [address, uri, method, status] of table)
    expect([address, uri, method, (await client(address, uri, method)).status]).toEqual([address, uri, method, status])
})

test('a stored scope with a pattern that is no longer allowed covers nothing', async () => {
  const server = await start()
  const pass = await create(await enter(server, admin))
  const scope = JSON.stringify({ to: [`${prometheus}/:a-:b`, `${prometheus}/*a*`], methods: null, from: null })
  await server.db.updateTable('passes').set({ passScope: scope }).execute()
  expect(await statusOf(server, pass, `${prometheus}/x-y`)).toBe(403)
})

test('creating a pass needs a recent sign-in with the second factor, if the user has one', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  expect((await tryToCreate(server.openBrowser()))[0]).toBe(401)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, ada)
  expect((await tryToCreate(browser))[0]).toBe(200)
  server.clock.advance(minutes(16))
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('ReauthenticationRequired')])
  // Attack: a stolen session and the password give no pass, which would outlive both.
  await browser.call(accountRoutes.userPasswordConfirm, { password: ada.password })
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('SecondFactorRequired')])
  await server.db.updateTable('sessions').set({ sessionFactorAt: server.clock.at }).execute()
  expect((await tryToCreate(browser))[0]).toBe(200)
  await server.db.updateTable('sessions').set({ sessionFactor: null }).execute()
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('SecondFactorRequired')])
})

test('a session that still needs a passkey cannot create a pass, and a pass made without one stops when the policy begins', async () => {
  const open = await start()
  const early = await create(await enter(open, admin))
  const policy = { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant-administrators' }
  const server = await start(policy)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, admin)
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('passkey: sign in with a passkey first')])
  const rows = await open.db.selectFrom('passes').selectAll().execute()
  const account = await server.db.selectFrom('users').select('userId').where('userIdent', '=', admin.username).executeTakeFirstOrThrow()
  await server.db
    .insertInto('passes')
    .values(rows.map(row => ({ ...row, passUser: account.userId })))
    .execute()
  expect([await statusOf(open, early), await statusOf(server, early)]).toEqual([200, 403])
})

test.each<[Asked, string]>([
  [{ name: ' ' }, 'name: must have 1 to 64 characters'],
  [{ name: 'x'.repeat(65) }, 'name: must have 1 to 64 characters'],
  [{ to: [] }, 'to: must name at least one address'],
  [{ to: ['prometheus'] }, 'to: ‘prometheus’ must begin with an origin'],
  [{ to: [prometheus] }, `to: ‘${prometheus}’ must have a path`],
  [{ to: ['https://grafana.example.com/*'] }, 'to: no rule admits passes at ‘https://grafana.example.com/*’'],
  [{ to: ['https://elsewhere.example.com/*'] }, 'to: no rule admits passes at'],
  [{ to: [`${prometheus}/((?:a+)+)b`] }, 'must have only words in parentheses'],
  [{ to: [`${prometheus}/*a*a*a*b`] }, 'may have one * besides one at its end'],
  [{ to: [`${prometheus}/:a-:b/*`] }, 'must not have two of * and :name in one segment'],
  [{ to: [`${prometheus}/${'a'.repeat(512)}`] }, 'has more than 512 characters'],
  [{ to: [`${prometheus}/:a/*`] }, 'must be an address, which may end with /*'],
  [{ to: [`${prometheus}/*/b`] }, 'must be an address, which may end with /*'],
  [{ to: [`${prometheus}/(a|b)`] }, 'must be an address, which may end with /*'],
  [{ to: [`${prometheus}/x{/*}?`] }, 'must be an address, which may end with /*'],
  [{ to: [`${prometheus}/${'a'.repeat(500)}`] }, 'must be an address, which may end with /*'],
  [{ methods: ['get'] }, 'methods: ‘get’ must be a method in capitals'],
  [{ from: ['home'] }, 'from: ‘home’ must be an address or a network'],
  [{ days: 0 }, 'days: must be from 1 to 365'],
  [{ days: 366 }, 'days: must be from 1 to 365'],
])('refuses %j and names the field', async (asked, error) => {
  const server = await start()
  expect(await tryToCreate(await enter(server, ada), asked)).toEqual([400, expect.stringContaining(error)])
})

test('at most 20 passes for each user', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  for (let i = 0; i < limits.pass.perUser; i++) await create(browser)
  expect((await tryToCreate(browser))[0]).toBe(409)
  await browser.call(accountRoutes.userPassEnd, { passId: await idOf(browser) })
  expect((await tryToCreate(browser))[0]).toBe(200)
})

test('a pass ends at once for its owner only, and when it expires', async () => {
  const server = await start()
  const [browser, other] = [await enter(server, ada), await enter(server, grace)]
  const [first, second] = [await create(browser), await create(browser)]
  const passId = await idOf(browser)
  const byOther = await other.send('POST', accountRoutes.userPassEnd.path, { passId })
  expect([byOther.statusCode, await statusOf(server, second)]).toEqual([404, 200])
  await browser.call(accountRoutes.userPassEnd, { passId })
  expect([await statusOf(server, first), await statusOf(server, second)].toSorted()).toEqual([200, 401])
  server.clock.advance(days(30))
  expect([await statusOf(server, first), await statusOf(server, second)]).toEqual([401, 401])
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('passes').selectAll().execute()).toEqual([])
})

test.each([
  ['ending all sessions', (browser: Browser, userId: string) => browser.call(administrationRoutes.endSessions, { userId })],
  ['a forced reset', (browser: Browser, userId: string) => browser.call(administrationRoutes.forceReset, { userId })],
  ['deletion', (browser: Browser, userId: string) => browser.call(administrationRoutes.remove, { userId, userIdent: ada.username })],
])('%s by an administrator ends the user’s passes', async (_, act) => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, admin)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, ada)
  const pass = await create(browser)
  expect(await statusOf(server, pass)).toBe(200)
  const { userId } = await server.db.selectFrom('users').select('userId').where('userIdent', '=', ada.username).executeTakeFirstOrThrow()
  await act(administrator, userId)
  expect(await statusOf(server, pass)).toBe(401)
})

test('a new password by mail ends the user’s passes, because the mailbox could have been used to create them', async () => {
  const server = await start()
  const pass = await create(await enter(server, ada))
  const visitor = server.openBrowser()
  await visitor.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const { selector, token } = mailedLink(await server.deliver(), 'new-password')
  const password = 'another long password of hers'
  await visitor.call(routes.resetPassword, {
    username: ada.username,
    resettoken: `${selector}.${token}`,
    newpassword: password,
    newpasswordverification: password,
  })
  expect(await statusOf(server, pass)).toBe(401)
})

test('a former administrator’s pass opens what users may open', async () => {
  const server = await start()
  const pass = await create(await enter(server, admin))
  expect(await statusOf(server, pass, `${prometheus}/admin/x`)).toBe(200)
  const admins = server.config.admins as Set<string>
  admins.delete(admin.username)
  expect([await statusOf(server, pass, `${prometheus}/admin/x`), await statusOf(server, pass)]).toEqual([403, 200])
})

test('a pass opens what the groups of its owner open, as administration and a provider set them', async () => {
  const server = await start()
  const pass = await create(await enter(server, ada))
  const status = () => statusOf(server, pass, 'https://alerts.example.com/')
  expect(await status()).toBe(403)
  for (const column of ['userGroups', 'userProviderGroups'] as const) {
    await server.db
      .updateTable('users')
      .set({ [column]: 'oncall' })
      .where('userIdent', '=', ada.username)
      .execute()
    expect([column, await status()]).toEqual([column, 200])
    await server.db
      .updateTable('users')
      .set({ [column]: '' })
      .execute()
    expect([column, await status()]).toEqual([column, 403])
  }
})

test('stores the last use at most once a minute, and lists it', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  const pass = await create(browser)
  const used = async () => {
    const [listed] = (await browser.call(accountRoutes.userPasses, {})).passes
    return [listed?.used, listed?.usedFrom]
  }
  const from = (address: string) => check(server.openBrowser({ address }), `${prometheus}/api`, { authorization: `Bearer ${pass}` })
  const first = new Date(server.clock.at).toISOString()
  await from('10.0.0.1')
  server.clock.advance(minutes(1) - 1)
  await from('10.0.0.2')
  expect(await used()).toEqual([first, '10.0.0.1'])
  server.clock.advance(1)
  await from('10.0.0.2')
  expect(await used()).toEqual([new Date(server.clock.at).toISOString(), '10.0.0.2'])
})

test('tells the owner of a new pass, and once, two weeks before, of its end; administrators of the end of a service’s', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  await create(browser, { name: 'Nightly backup', days: 30 })
  await addServicePass(server, { to: admitting.join(), days: '30', name: 'Scraper' })
  const subjects = async () => {
    const mails = await listMails(server.db, createKeyring(server.config.masterKeys), 20)
    return mails.flatMap(({ content }) => (content && 'message' in content ? [`${content.to}: ${content.message.kind}`] : []))
  }
  expect(await subjects()).toEqual(['ada@example.com: pass-created'])
  server.clock.advance(days(16) - hours(1))
  await server.backgroundJobs.notifyOfPasses()
  expect(await subjects()).toHaveLength(1)
  server.clock.advance(hours(1))
  await server.backgroundJobs.notifyOfPasses()
  await server.backgroundJobs.notifyOfPasses()
  expect((await subjects()).toSorted()).toEqual([
    'ada@example.com: pass-created',
    'ada@example.com: pass-ends',
    'admin@example.com: service-pass-ends',
  ])
})

test('the command line creates, lists and ends passes, and names what is wrong', async () => {
  const server = await start()
  await create(await enter(server, ada), { name: 'Hers' })
  const pass = await addServicePass(server, { to: `${prometheus}/metrics`, methods: 'GET, HEAD', from: '10.0.0.0/8', days: '7' })
  expect(pass).toMatch(/^gh_pass_/)
  const listed = cli(server, [])
  await listAllPasses(listed.deps)
  expect(listed.lines).toHaveLength(2)
  expect(listed.lines.join('\n')).toMatch(
    /service prometheus {2}prometheus {2}https:\/\/prometheus\.example\.com\/metrics {2}ends .* {2}never used/,
  )
  const [[rows]] = listed.data.mock.calls as [[{ id: string; owner: string }[]]]
  const service = rows.find(({ owner }) => owner === 'service prometheus')
  await endOnePass(cli(server, [service?.id ?? '']).deps)
  expect(await statusOf(server, pass, `${prometheus}/metrics`)).toBe(401)
  await expect(endOnePass(cli(server, ['nothing']).deps)).rejects.toThrow('There is no pass nothing')
  await expect(addPass(cli(server, ['Prometheus!'], {}).deps)).rejects.toThrow('SERVICE: must have')
  await expect(addPass(cli(server, ['x'], { to: 'y' }).deps)).rejects.toThrow('--to: ‘y’ must begin with an origin')
})

test('checks a pass with one statement', async () => {
  const server = await start()
  const pass = await create(await enter(server, ada))
  await statusOf(server, pass)
  const executed = vi.spyOn(server.db.getExecutor(), 'executeQuery')
  expect(await statusOf(server, pass)).toBe(200)
  const queries = executed.mock.calls.map(([{ query }]) => query.kind)
  executed.mockRestore()
  expect(queries).toEqual(['SelectQueryNode'])
})
