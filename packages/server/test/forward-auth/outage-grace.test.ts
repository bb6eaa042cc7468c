import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { administrationRoutes, routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { cookieName } from '../../src/http/cookie-names.ts'
import { checkCookieOf } from '../../src/keys/secrets.ts'
import { limits, minutes } from '../../src/limits.ts'
import { createPassSecret } from '../../src/passes/pass-secret.ts'
import { createOutageGrace } from '../../src/sessions/outage-grace.ts'
import { prepareFindSession, startSession } from '../../src/sessions/sessions.store.ts'
import { freePort } from '../support/free-port.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { asked } from './asked.ts'

const grace = { username: 'grace@example.com', password: 'a compiler of her own' }

/** A connection to PostgreSQL that breaks, and is refused, on demand. */
const breakable = async () => {
  const target = new URL(inject('postgres'))
  const open = new Set<net.Socket>()
  const port = await freePort()
  const listen = async () => {
    const server = net.createServer(near => {
      const far = net.connect(Number(target.port), target.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one)
        one.on('error', () => {})
        one.on('close', () => other.destroy())
        one.pipe(other)
      }
    })
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await listen()
  const fail = () => {
    server.close()
    for (const socket of open) socket.destroy()
    open.clear()
  }
  onTestFinished(fail)
  const restore = async () => {
    server = await listen()
  }
  return { port, fail, restore }
}

const start = async (seconds = '900', more: Record<string, string> = {}) => {
  const database = await breakable()
  const server = await startServer({
    env: {
      GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
      GATEHOUSE_COOKIE_DOMAIN: 'example.com',
      GATEHOUSE_ADMINS: admin.username,
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      GATEHOUSE_PROTECTED_ORIGINS:
        'https://grafana.example.com, https://prometheus.example.com administrators, https://alerts.example.com second-factor',
      GATEHOUSE_OUTAGE_GRACE: seconds,
      ...more,
    },
    through: database.port,
  })
  for (const user of [ada, admin, grace]) await server.addUser(user)
  const signedIn = async (user: typeof ada) => {
    const browser = server.openBrowser({ address: '127.0.0.1' })
    await browser.enter(user)
    expect(await statusOf(browser)).toBe(200)
    return browser
  }
  return { server, database, signedIn }
}

const statusOf = async (browser: Browser, address = 'https://grafana.example.com/') =>
  (await browser.get('/auth/request', asked(address))).statusCode

/** Waits until the server has read the sessions that checks used. */
const heard = () => setTimeout(limits.outage.settle + 2 * limits.outage.look)

const onPostgres = test.runIf(inject('postgres') !== '')

onPostgres('lets checks of recently used sessions pass while the database is unreachable, and no others', async () => {
  const { server, database, signedIn } = await start()
  const [asAda, asAdmin] = [await signedIn(ada), await signedIn(admin)]
  await heard()
  const late = server.openBrowser({ address: '127.0.0.1' })
  await late.enter(grace)
  const visitor = server.openBrowser({ address: '127.0.0.1' })
  database.fail()

  const answer = await asAdmin.get('/auth/request', asked('https://grafana.example.com/'))
  expect([answer.statusCode, answer.headers['remote-groups']]).toEqual([200, 'users'])
  expect(await statusOf(asAda)).toBe(200)
  expect(await statusOf(asAdmin, 'https://prometheus.example.com/')).toBe(503)
  expect(await statusOf(asAda, 'https://prometheus.example.com/')).toBe(503)
  expect(await statusOf(asAda, 'https://alerts.example.com/')).toBe(503)
  // This server has not seen the session in a check.
  expect(await statusOf(late)).toBe(503)
  expect(await statusOf(visitor)).toBe(401)
  const program = { ...asked('https://grafana.example.com/'), authorization: `Bearer ${createPassSecret().text}` }
  expect((await asAda.get('/auth/request', program)).statusCode).toBe(503)
  const forged = server.openBrowser({ address: '127.0.0.1' })
  for (const [name, value] of asAda.jar) forged.jar.set(name, `${value.slice(0, -2)}${value.endsWith('xx') ? 'yy' : 'xx'}`)
  expect(await statusOf(forged)).toBe(503)
  expect((await visitor.send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })).statusCode).toBe(503)
  expect(server.logged.join('')).toContain('the database is unreachable: checks of recently used sessions pass')
  const during = await server.metrics.render()
  expect([during.includes('\ngatehouse_database_up 0\n'), during.includes('\ngatehouse_outage_checks_total 2\n')]).toEqual([true, true])

  await database.restore()
  await expect.poll(() => statusOf(asAdmin, 'https://prometheus.example.com/'), { timeout: 5000 }).toBe(200)
  expect(server.logged.join('')).toContain('the database answers again')
  expect(await server.metrics.render()).toContain('\ngatehouse_database_up 1\n')
  const overview = await asAdmin.call(administrationRoutes.overview, {})
  expect([overview.outageChecks, overview.outageEnded]).toEqual([2, new Date(server.clock.at).toISOString()])
})

onPostgres('refuses every check during an outage without a grace period', async () => {
  const { database, signedIn } = await start('0')
  const asAda = await signedIn(ada)
  await heard()
  database.fail()
  expect(await statusOf(asAda)).toBe(503)
})

onPostgres('stops passing checks when the grace period ends or the session expires', async () => {
  const { server, database, signedIn } = await start('1')
  const asAda = await signedIn(ada)
  await heard()
  database.fail()
  expect(await statusOf(asAda)).toBe(200)
  server.clock.advance(limits.session.idle)
  expect(await statusOf(asAda)).toBe(503)
  server.clock.advance(-limits.session.idle)
  expect(await statusOf(asAda)).toBe(200)
  await setTimeout(1100)
  expect(await statusOf(asAda)).toBe(503)
})

onPostgres('passes no session that ended on another server 2 s before the outage', async () => {
  const { server, database, signedIn } = await start()
  const [asAda, asGrace] = [await signedIn(ada), await signedIn(grace)]
  await heard()
  const { userId } = await server.db.selectFrom('users').select('userId').where('userIdent', '=', ada.username).executeTakeFirstOrThrow()
  // Delete the sessions directly, so this server does not notice, as if another server had ended them.
  await server.db.deleteFrom('sessions').where('sessionUser', '=', userId).execute()
  await setTimeout(2000)
  database.fail()
  expect(await statusOf(asAda)).toBe(503)
  expect(await statusOf(asGrace)).toBe(200)
})

onPostgres('ends a session on this server at once when the user signs out during an outage, and in the database afterwards', async () => {
  const { server, database, signedIn } = await start()
  const asAda = await signedIn(ada)
  const copy = server.openBrowser({ address: '127.0.0.1' })
  for (const [name, value] of asAda.jar) copy.jar.set(name, value)
  await heard()
  database.fail()
  expect(await statusOf(copy)).toBe(200)
  expect((await asAda.send('POST', routes.logoutBySelf.path, {})).statusCode).toBe(200)
  expect(await statusOf(copy)).toBe(503)
  await database.restore()
  await expect.poll(() => statusOf(copy), { timeout: 5000 }).toBe(401)
  await expect.poll(() => server.db.selectFrom('sessions').select('sessionUser').execute()).toEqual([])
  expect(await server.db.selectFrom('audit').selectAll().where('auditEvent', '=', 'sign-out').execute()).toHaveLength(1)
})

onPostgres('during an outage, passes no check under a rule that requires a factor, or of a user who must have a passkey', async () => {
  const { server, database } = await start('900', { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant-administrators' })
  const withSession = async ({ username }: typeof ada) => {
    const { db, config, clock } = server
    const { userId } = await db.selectFrom('users').select('userId').where('userIdent', '=', username).executeTakeFirstOrThrow()
    const cookie = await startSession(db, { user: userId, factor: 'Passkey' }, { userAgent: '', address: '' }, clock.at)
    const browser = server.openBrowser({ address: '127.0.0.1' })
    browser.jar.set(cookieName('check', config), checkCookieOf(cookie).cookie)
    expect(await statusOf(browser)).toBe(200)
    return browser
  }
  const [asAda, asAdmin] = [await withSession(ada), await withSession(admin)]
  expect(await statusOf(asAda, 'https://alerts.example.com/')).toBe(200)
  await heard()
  database.fail()
  expect(await statusOf(asAda)).toBe(200)
  expect(await statusOf(asAda, 'https://alerts.example.com/')).toBe(503)
  expect(await statusOf(asAdmin)).toBe(503)
})

onPostgres('keeps only the 2,000 most recently used sessions, so memory use is bounded', async () => {
  const server = await startServer()
  await server.addUser()
  const { db, clock } = server
  const { userId } = await db.selectFrom('users').select('userId').executeTakeFirstOrThrow()
  const add = () => startSession(db, { user: userId, factor: null }, { userAgent: '', address: '' }, clock.at)
  const grace = createOutageGrace({ db, grace: minutes(15), now: () => clock.at, log: { warn: () => {}, info: () => {} } })
  const use = async (cookie: string) => {
    const found = await prepareFindSession(db)(cookie, clock.at)
    if (!found || 'forged' in found) throw new Error('the session is missing')
    grace.remember(found)
    return found
  }
  const [first, second] = [await add(), await add()]
  const { sessionSelector, ...session } = await use(first)
  await use(second)
  const fill = (count: number) => {
    for (let i = 0; i < count; i++) grace.remember({ ...session, sessionSelector: `${sessionSelector.slice(0, -5)}${10_000 + i}` })
  }
  fill(limits.outage.kept - 2)
  await use(first)
  await grace.lookNow()
  expect([first, second].map(cookie => grace.findByCookie(cookie) !== undefined)).toEqual([true, true])
  // The database does not contain the made-up sessions, so `lookNow` dropped them.
  await use(first)
  fill(limits.outage.kept - 1)
  await grace.lookNow()
  expect([first, second].map(cookie => grace.findByCookie(cookie) !== undefined)).toEqual([true, false])
})

test('the outage limits let the server learn of ended sessions in time', () => {
  const { look, patience, unheard, usedWithin, longest } = limits.outage
  expect(look + patience).toBeLessThan(unheard)
  expect(Math.max(usedWithin, longest)).toBeLessThanOrEqual(minutes(15))
})
