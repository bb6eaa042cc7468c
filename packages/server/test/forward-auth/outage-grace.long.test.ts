import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { cookieName } from '../../src/http/cookie-names.ts'
import { checkCookieOf } from '../../src/keys/secrets.ts'
import { minutes, seconds } from '../../src/limits.ts'
import { startSession } from '../../src/sessions/sessions.store.ts'
import { addAccount } from '../../src/users/users.store.ts'
import { startProcess } from '../processes/processes.ts'
import { freePort } from '../support/free-port.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { asked } from './asked.ts'

const address = 'https://grafana.example.com/'
/** The documented goal is an outage of 10 minutes: run with OUTAGE_MINUTES=10. The default is one minute. */
const outage = minutes(Number(process.env.OUTAGE_MINUTES ?? '1'))

const start = async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  await postgres.createDatabase('outage')
  const databaseUrl = `${postgres.url}/outage`
  const startOne = async (grace: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-outage-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const port = await freePort()
    const env = {
      GATEHOUSE_DATA_DIR: folder,
      GATEHOUSE_DATABASE_URL: databaseUrl,
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
      GATEHOUSE_COOKIE_DOMAIN: 'example.com',
      GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.com',
      GATEHOUSE_SECOND_FACTOR: 'off',
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      GATEHOUSE_OUTAGE_GRACE: grace,
    }
    const server = startProcess(env)
    await server.ready
    const name = cookieName('check', readConfig(env))
    const check = async (cookie: string) => {
      const headers = { ...asked(address), cookie: `${name}=${cookie}` }
      return (await fetch(`http://127.0.0.1:${port}/auth/request`, { headers })).status
    }
    return { check, output: server.output }
  }
  const [withGrace, without] = [await startOne('900'), await startOne('0')]
  const { db, clock, close } = await openDatabase(databaseUrl)
  const cookies: string[] = []
  for (let i = 0; i < 50; i++) {
    const user = await addAccount(db, { userIdent: `user-${i}@example.com`, userPassword: null, userTZLabel: 'UTC', now: clock.now() })
    if (!user) throw new Error('the user exists')
    cookies.push(checkCookieOf(await startSession(db, { user, factor: null }, { userAgent: '', address: '' }, clock.now())).cookie)
  }
  const endOne = async (cookie: string) => {
    const [selector = ''] = cookie.split('.')
    await db.deleteFrom('sessions').where('sessionCheckSelector', '=', selector).execute()
  }
  return { postgres, withGrace, without, cookies, endOne, close }
}

test.runIf(inject('postgres') !== '')(
  'passes 99.9% of the checks while PostgreSQL is stopped, none of an ended session, and none without a grace period',
  async () => {
    const { postgres, withGrace, without, cookies, endOne, close } = await start()
    const [ended = '', ...living] = cookies
    for (const cookie of cookies) expect([await withGrace.check(cookie), await without.check(cookie)]).toEqual([200, 200])
    await setTimeout(seconds(4))
    await endOne(ended)
    await close()
    await setTimeout(seconds(2))

    const results = new Map<string, number>()
    const pending = new Set<Promise<void>>()
    const count = (kind: string, check: Promise<number>) => {
      const counted = check
        .catch(() => 0)
        .then(status => void results.set(`${kind} ${status}`, (results.get(`${kind} ${status}`) ?? 0) + 1))
        .finally(() => pending.delete(counted))
      pending.add(counted)
    }
    let sent = 0
    const from = performance.now()
    const stopping = postgres.halt()
    let stopped = false
    stopping.then(() => (stopped = true))
    // Send 200 checks per second, even if the timer is late.
    while (performance.now() - from < outage) {
      for (const due = (performance.now() - from) / 5; sent < due; sent++) {
        count('living', withGrace.check(living[sent % living.length] ?? ''))
        if (sent % 20 === 0) count('ended', withGrace.check(ended))
        // PostgreSQL may still answer until it has stopped.
        if (sent % 20 === 0 && stopped) count('without', without.check(living[0] ?? ''))
      }
      await setTimeout(5)
    }
    await Promise.all(pending)
    await stopping
    const passed = results.get('living 200') ?? 0
    expect(sent).toBeGreaterThan((outage / 1000) * 199)
    expect(passed / sent).toBeGreaterThanOrEqual(0.999)
    expect([results.get('ended 200'), results.get('without 200')]).toEqual([undefined, undefined])

    await postgres.restart()
    const back = performance.now()
    while ((await withGrace.check(ended)) !== 401 || (await without.check(living[0] ?? '')) !== 200) await setTimeout(50)
    expect(performance.now() - back).toBeLessThan(seconds(5))
    await expect.poll(() => withGrace.output.stderr.includes('the database answers again'), { timeout: 5000 }).toBe(true)
  },
  outage + minutes(2),
)
