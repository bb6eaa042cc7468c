import { accountRoutes, administrationRoutes, routes } from '@gatehouse/wire'
import { decodeJwt } from 'jose'
import { expect, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { ada, admin } from '../support/harness.ts'
import { check, navigates } from './asked.ts'
import { addServicePass, admitting, basic, create, enter, grace, prometheus, show, start, statusOf } from './pass-holders.ts'

test('a pass opens what its owner may open where a rule admits passes, and the application gets the owner’s identity', async () => {
  const server = await start()
  const [ofAda, ofAdmin, ofGrace] = await Promise.all([ada, admin, grace].map(async user => create(await enter(server, user))))
  const service = await addServicePass(server, { to: admitting.join() })
  const table: [string, number[]][] = [
    [`${prometheus}/api/v1/query?query=up`, [200, 200, 200, 200]],
    [`${prometheus}/admin/tsdb`, [403, 200, 403, 200]],
    [`${prometheus}/ADMIN`, [403, 200, 403, 200]],
    // The owner could open it only with a second factor, which a pass does not replace.
    [`${prometheus}/secret/x`, [403, 403, 403, 403]],
    // The rule names no user, so only services may open it.
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

test('a pass works as a bearer token and as a Basic password; only other Authorization headers reach the application', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  const pass = await create(browser)
  const address = `${prometheus}/api`
  for (const authorization of [`Bearer ${pass}`, basic(pass), basic(pass, 'prometheus')])
    expect((await show(server, pass, address, { authorization })).status).toBe(200)
  // An application's own token neither gives nor takes away access, and never counts as a wrong pass.
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
  // The right pass gets 429 too; otherwise the answer would reveal which pass is right.
  expect((await check(from, `${prometheus}/api`, { authorization: `Bearer ${pass}` })).status).toBe(429)
  expect(await statusOf(server, pass)).toBe(200)
})

test('a pass opens no part of Gatehouse itself, sets no cookie, and is stored as a hash', async () => {
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

test('a former administrator’s pass opens only what users may open', async () => {
  const server = await start()
  const pass = await create(await enter(server, admin))
  expect(await statusOf(server, pass, `${prometheus}/admin/x`)).toBe(200)
  const admins = server.config.admins as Set<string>
  admins.delete(admin.username)
  expect([await statusOf(server, pass, `${prometheus}/admin/x`), await statusOf(server, pass)]).toEqual([403, 200])
})

test('a pass opens what its owner’s groups open, whether an administrator or a provider set the groups', async () => {
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
