import { accountRoutes, administrationRoutes as calls, type PassListRequest } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, limits, minutes } from '../../src/limits.ts'
import { listMails } from '../../src/mail/outbox.store.ts'
import { addServicePass, create, enter, grace, prometheus, start, startAnother, statusOf } from '../forward-auth/pass-holders.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser } from '../support/harness.ts'

const scraper = { service: 'prometheus', name: 'Scraper', to: [`${prometheus}/metrics`], methods: ['GET'], from: [], days: 7 }
const answer = async (browser: Browser, route: { path: string }, body: unknown) => {
  const { statusCode, body: text } = await browser.send('POST', route.path, body)
  return [statusCode, statusCode === 200 ? '' : JSON.parse(text).error]
}
const audited = async ({ db }: Awaited<ReturnType<typeof start>>) =>
  (await db.selectFrom('audit').selectAll().where('auditEvent', 'like', 'pass-%').orderBy('auditAt').execute()).map(
    ({ auditEvent, auditResult, auditActor, auditTarget }) => [auditEvent, auditResult, auditActor, auditTarget],
  )

test('lists all passes in order of expiry, finds them by name, owner and service, and returns each once across pages', async () => {
  const server = await start()
  const browser = await enter(server, admin)
  const hers = await enter(server, ada)
  await create(hers, { name: 'Nächtliche Sicherung', days: 30, methods: ['GET'], from: ['10.0.0.0/8'] })
  const used = await create(await enter(server, grace), { name: '100%_Reports', days: 20 })
  await addServicePass(server, { to: `${prometheus}/metrics`, days: '10', name: 'Scraper' })
  await statusOf(server, used)
  const { passes, counts, origins, services, most, after } = await browser.call(calls.passes, {})
  expect(passes.map(({ name, user, service }) => [name, user?.userIdent ?? service])).toEqual([
    ['Scraper', 'prometheus'],
    ['100%_Reports', grace.username],
    ['Nächtliche Sicherung', ada.username],
  ])
  expect(passes[1]).toMatchObject({ used: new Date(server.clock.at).toISOString(), usedFrom: expect.stringMatching(/\d/) })
  expect(passes[2]).toMatchObject({ methods: ['GET'], from: ['10.0.0.0/8'], expires: new Date(server.clock.at + days(30)).toISOString() })
  expect([counts, services, most, after]).toEqual([{ All: 3, Users: 2, Services: 1 }, 1, limits.pass.services, undefined])
  expect(origins).toContain(prometheus)
  expect(JSON.stringify(passes)).not.toContain(used.slice(-51))

  const names = async (request: PassListRequest) => (await browser.call(calls.passes, request)).passes.map(({ name }) => name)
  for (const search of ['nächt', 'NÄCHTLICHE', 'ADA@exam', 'a@example.com'])
    expect([search, await names({ search })]).toEqual([search, ['Nächtliche Sicherung']])
  expect([await names({ search: '%_' }), await names({ search: 'rometh' }), await names({ search: '_' })]).toEqual([
    ['100%_Reports'],
    ['Scraper'],
    ['100%_Reports'],
  ])
  expect([await names({ holders: 'Services' }), (await names({ holders: 'Users' })).length]).toEqual([['Scraper'], 2])
  const { userId = '' } = passes[2]?.user ?? {}
  expect([await names({ userId }), await names({ service: 'prometheus' }), await names({ service: 'other' })]).toEqual([
    ['Nächtliche Sicherung'],
    ['Scraper'],
    [],
  ])
  expect((await browser.call(calls.passes, { search: 'ada', holders: 'Services' })).counts).toEqual({ All: 1, Users: 1, Services: 0 })
  expect((await browser.call(calls.user, { userId })).passes).toBe(1)

  const [row] = await server.db.selectFrom('passes').selectAll().where('passService', 'is not', null).execute()
  if (!row) throw new Error('there is no pass of a service')
  const copies = Array.from({ length: limits.lists.passes.most }, (_, i) => ({
    ...row,
    passSelector: `copy-${String(i).padStart(2, '0')}`,
  }))
  await server.db.insertInto('passes').values(copies).execute()
  const first = await browser.call(calls.passes, {})
  const second = await browser.call(calls.passes, { after: first.after ?? '' })
  const ids = [...first.passes, ...second.passes].map(({ passId }) => passId)
  expect([first.passes.length, ids.length, new Set(ids).size, second.after]).toEqual([50, 53, 53, undefined])
  expect(await answer(browser, calls.passes, { after: 'nowhere' })).toEqual([400, 'after: is not a place in this list'])
  server.clock.advance(days(10))
  await browser.enter(admin)
  expect((await browser.call(calls.passes, {})).counts).toEqual({ All: 2, Users: 2, Services: 0 })
})

test('creates a service’s pass only after a recent second factor, notifies administrators, and names the field that is wrong', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const browser = server.openBrowser()
  await enroll(browser, server.clock, admin)
  const { pass } = await browser.call(calls.addPass, scraper)
  expect(await statusOf(server, pass, `${prometheus}/metrics`)).toBe(200)
  expect(await statusOf(server, pass, `${prometheus}/api`)).toBe(403)
  const mails = await listMails(server.db, createKeyring(server.config.masterKeys), 20)
  expect(mails.flatMap(({ content }) => (content && 'message' in content ? [{ ...content.message, to: content.to }] : []))).toMatchObject([
    { kind: 'factor-added' },
    { kind: 'service-pass-created', to: admin.username, who: 'prometheus', name: 'Scraper', by: admin.username },
  ])
  for (const [wrong, error] of [
    [{ service: 'Prometheus!' }, 'service: must have 1 to 63 lowercase letters'],
    [{ name: ' ' }, 'name: must have 1 to 64 characters'],
    [{ to: ['https://grafana.example.com/*'] }, 'to: no rule admits passes at'],
    [{ to: [`${prometheus}/*/b`] }, 'must be an address, which may end with /*'],
    [{ methods: ['get'] }, 'methods: ‘get’ must be a method in capitals'],
    [{ from: ['home'] }, 'from: ‘home’ must be an address or a network'],
    [{ days: 366 }, 'days: must be from 1 to 365'],
  ] as const)
    expect(await answer(browser, calls.addPass, { ...scraper, ...wrong })).toEqual([400, expect.stringContaining(error)])

  server.clock.advance(minutes(16))
  expect(await answer(browser, calls.addPass, scraper)).toEqual([403, expect.stringContaining('Sign in again first')])
  // Attack: someone with a stolen session and the administrator’s password creates a pass, which would outlive both.
  await browser.call(accountRoutes.userPasswordConfirm, { password: admin.password })
  expect(await answer(browser, calls.addPass, scraper)).toEqual([403, 'factor: sign in with your second factor first'])
  await browser.call(calls.endPass, { passId: (await browser.call(calls.passes, {})).passes[0]?.passId ?? '' })
  const { userId } = await server.db.selectFrom('users').select('userId').where('userIdent', '=', admin.username).executeTakeFirstOrThrow()
  expect(await audited(server)).toEqual([
    ['pass-created', 'successful', userId, 'service:prometheus'],
    ['pass-created', 'forbidden', userId, 'service:prometheus'],
    ['pass-created', 'lower', userId, 'service:prometheus'],
    ['pass-ended', 'successful', userId, 'service:prometheus'],
  ])
})

test('all services together have at most 200 passes', async () => {
  const server = await start()
  const browser = await enter(server, admin)
  await browser.call(calls.addPass, scraper)
  const [row] = await server.db.selectFrom('passes').selectAll().execute()
  if (!row) throw new Error('there is no pass')
  const copies = Array.from({ length: limits.pass.services - 1 }, (_, i) => ({ ...row, passSelector: `copy-${i}` }))
  await server.db.insertInto('passes').values(copies).execute()
  expect(await answer(browser, calls.addPass, scraper)).toEqual([409, 'pass: the maximum number has been reached'])
  await browser.call(calls.endPasses, { service: 'prometheus' })
  expect(await answer(browser, calls.addPass, scraper)).toEqual([200, ''])
})

test('ends one pass, or all of one owner, on all servers at once', async () => {
  const server = await start()
  const other = await startAnother(server)
  const browser = await enter(server, admin)
  const [hers, his] = [await enter(server, ada), await enter(server, grace)]
  const [first, second, kept] = [await create(hers, { days: 5 }), await create(hers), await create(his)]
  const scraping = await addServicePass(server, { to: `${prometheus}/metrics`, days: '20' })
  const statuses = async () => {
    const address = (pass: string) => `${prometheus}/${pass === scraping ? 'metrics' : 'api'}`
    const both = (pass: string) => Promise.all([server, other].map(one => statusOf(one, pass, address(pass))))
    return (await Promise.all([first, second, kept, scraping].map(both))).map(found => found.join())
  }
  expect(await statuses()).toEqual(['200,200', '200,200', '200,200', '200,200'])
  const [listed] = (await browser.call(calls.passes, {})).passes
  await browser.call(calls.endPass, { passId: listed?.passId ?? '' })
  expect(await statuses()).toEqual(['401,401', '200,200', '200,200', '200,200'])
  expect(await answer(browser, calls.endPass, { passId: listed?.passId ?? '' })).toEqual([404, 'passId: there is no such pass'])
  const userId = listed?.user?.userId ?? ''
  await browser.call(calls.endPasses, { userId })
  await browser.call(calls.endPasses, { service: 'prometheus' })
  expect(await statuses()).toEqual(['401,401', '401,401', '200,200', '401,401'])
  for (const request of [{}, { userId, service: 'prometheus' }]) expect((await answer(browser, calls.endPasses, request))[0]).toBe(400)
  expect((await audited(server)).filter(([event]) => event === 'pass-ended').map(([, result, , target]) => [result, target])).toEqual([
    ['successful', userId],
    ['unknown-pass', null],
    ['all-passes', userId],
    ['all-passes', 'service:prometheus'],
  ])
})
