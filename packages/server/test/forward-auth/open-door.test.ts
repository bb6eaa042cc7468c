import { administrationRoutes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { claimRound } from '../../src/forward-auth/open-door/doors.store.ts'
import { hours, limits, minutes, seconds } from '../../src/limits.ts'
import { freePort } from '../support/free-port.ts'
import { admin, startServer } from '../support/harness.ts'
import { type Behavior, behaviors, cached, startFront } from './faulty-front.ts'

/** A listening server whose alarm is on, and a proxy in front of an application. */
const start = async (more: Record<string, string> = {}) => {
  const [gate, port] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const server = await startServer({
    env: {
      GATEHOUSE_PUBLIC_URL: `http://127.0.0.1:${gate}`,
      GATEHOUSE_PROTECTED_ORIGINS: origin,
      GATEHOUSE_OPEN_DOOR_ALARM: 'on',
      GATEHOUSE_ADMINS: admin.username,
      ...more,
    },
  })
  await server.app.listen({ port: gate, host: '127.0.0.1' })
  const front = await startFront({ gatehouse: `http://127.0.0.1:${gate}`, port })
  const behave = (behavior: Behavior) => front.hosts.set('127.0.0.1', behavior)
  behave(behaviors.right)
  const { openDoorAlarm: alarm } = server
  if (!alarm) throw new Error('the alarm is off')
  server.clock.advance(limits.openDoor.settle)
  /** Makes the next round and returns the application's state. */
  const round = async (later: number = minutes(5)) => {
    server.clock.advance(later)
    await alarm.look()
    return (await alarm.list()).find(one => one.origin === origin)?.state
  }
  const about = () => server.logged.filter(line => line.includes('open-door alarm')).map(line => JSON.parse(line))
  return { server, front, behave, alarm, round, about, origin }
}

test('reports an open door by mail, log, metric and banner, and the end of the alarm by mail and log', async () => {
  const { server, front, behave, alarm, round, about, origin } = await start()
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await administrator.enter(admin)
  const banner = async () => (await administrator.call(administrationRoutes.overview, {})).doors
  expect(await round()).toBe('Closed')
  expect(front.requests.map(({ url }) => url)).toEqual(['/', '/gatehouse-probe', '/', '/gatehouse-probe'])
  expect(new Set(front.requests.map(({ userAgent }) => userAgent))).toEqual(
    new Set([`Gatehouse open-door alarm (${server.config.publicUrl.origin})`]),
  )
  expect(await banner()).toBeUndefined()

  behave(behaviors.noCheck)
  const mails = async () => (await server.deliver()).map(({ subject }) => subject.replaceAll('\u2060', ''))
  expect(await round()).toBe('Closed')
  expect(await mails()).toEqual([])
  expect(await round(limits.openDoor.again)).toBe('Open')
  expect(await mails()).toEqual([`Application open to everyone: ${origin} · Gatehouse`])
  expect(about()).toMatchObject([{ level: 40, origin, state: 'Open', path: '/', status: 200 }])
  expect(await banner()).toMatchObject([{ origin, state: 'Open', path: '/', status: 200 }])
  const metrics = await server.metrics.render()
  expect(metrics).toContain(`gatehouse_open_door{origin="${origin}",state="open"} 1`)
  expect(metrics).toContain(`gatehouse_open_door{origin="${origin}",state="check-skipped"} 0`)
  expect(metrics).toContain(`gatehouse_open_door_last_round_timestamp_seconds ${server.clock.at / 1000}`)

  behave(behaviors.right)
  expect([await round(), await round(limits.openDoor.again)]).toEqual(['Open', 'Closed'])
  expect((await mails())[0]).toBe(`Alarm ended: ${origin} · Gatehouse`)
  expect(about().at(-1)).toMatchObject({ level: 30, origin, state: 'Closed' })
  expect(await banner()).toBeUndefined()
  expect(await alarm.lastRound()).toBe(server.clock.at)
})

test('names the first of several open paths, even if another one answers faster', async () => {
  const { alarm, behave, round, origin } = await start()
  behave((response, request) => void setTimeout(() => response.writeHead(200).end('open'), request.url === '/' ? 100 : 0))
  await round()
  expect(await round(limits.openDoor.again)).toBe('Open')
  expect(await alarm.list()).toContainEqual(expect.objectContaining({ origin, path: '/' }))
})

test('makes the requests once if two rounds start together, and repeats them after a minute if the state has changed', async () => {
  const { server, front, behave, alarm, round } = await start()
  front.requests.splice(0)
  server.clock.advance(minutes(5))
  await Promise.all([alarm.look(), alarm.look()])
  const once = front.requests.length
  expect(once).toBe(4)
  expect(await round(limits.openDoor.every - seconds(1))).toBe('Closed')
  expect(front.requests).toHaveLength(once)
  behave(behaviors.noCheck)
  expect(await round(seconds(1))).toBe('Closed')
  expect(await round(limits.openDoor.again)).toBe('Open')
  const busy = front.requests.length
  expect(await round(limits.openDoor.again)).toBe('Open')
  expect(front.requests).toHaveLength(busy)
})

test('only one of several servers makes a round', async () => {
  const { server, front, alarm } = await start()
  server.clock.advance(minutes(5))
  const claims = await Promise.all([1, 2].map(() => claimRound(server.db, server.clock.at)))
  expect(claims.filter(claim => claim !== undefined)).toHaveLength(1)
  await alarm.look()
  expect(front.requests).toEqual([])
})

test('an application still counts as closed after clients have used up the limit of stored addresses', async () => {
  const { server, round, origin } = await start()
  const ask = () =>
    // From the proxy's address, which this server does not list as a trusted proxy.
    server.openBrowser({ address: '127.0.0.1' }).get('/auth/forward', {
      accept: 'text/html',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(origin).host,
      'x-forwarded-uri': '/x',
    })
  for (let i = 0; i < limits.rates.returns.most; i++) await ask()
  expect((await ask()).headers.location).toMatch(/\?return=none$/)
  expect(await round()).toBe('Closed')
})

test('the alarm detects a proxy that caches responses to the check', async () => {
  const { behave, round } = await start()
  behave(cached())
  expect([await round(), await round(limits.openDoor.again)]).toEqual(['Closed', 'CheckSkipped'])
})

test('reports a skipped check if the probe token does not reach the check, or comes from an untrusted proxy', async () => {
  const { behave, round } = await start()
  behave(behaviors.withoutToken)
  await round()
  expect(await round(limits.openDoor.again)).toBe('CheckSkipped')
  // The proxy is at 127.0.0.1, and this server trusts another address.
  const other = await start({ GATEHOUSE_TRUSTED_PROXIES: '192.0.2.1' })
  await other.round()
  expect(await other.round(limits.openDoor.again)).toBe('CheckSkipped')
  const trusted = await start({ GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' })
  expect(await trusted.round()).toBe('Closed')
})

test('forgets an origin that no rule names anymore', async () => {
  const { server, alarm, round } = await start()
  await server.db.insertInto('doors').values({ doorOrigin: 'https://gone.example.com', doorCourse: '{}' }).execute()
  await round()
  expect((await alarm.list()).map(({ origin }) => origin)).not.toContain('https://gone.example.com')
})

test('makes no request in the first minute after the start, nor without the database', async () => {
  const { server, front, alarm } = await start()
  server.clock.advance(-limits.openDoor.settle + seconds(1))
  await alarm.look()
  expect(front.requests).toEqual([])
  server.clock.advance(hours(1))
  await server.db.schema.alterTable('door_rounds').renameTo('away').execute()
  await expect(alarm.look()).rejects.toThrow('door_rounds')
  await server.db.schema.alterTable('away').renameTo('door_rounds').execute()
  expect(front.requests).toEqual([])
  await alarm.look()
  expect(front.requests).toHaveLength(4)
})
