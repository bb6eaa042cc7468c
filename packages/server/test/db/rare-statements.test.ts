import { expect, test } from 'vitest'
import { keepReturn, wasStoredSince } from '../../src/forward-auth/return-addresses.store.ts'
import { limits } from '../../src/limits.ts'
import { listLive, storeCheckCookie } from '../../src/sessions/sessions.store.ts'
import { startServer } from '../support/harness.ts'

// `npm test` runs these statements on both databases. It runs the journeys that use them on SQLite only (decision 082).

test('lists the live sessions among several, and stores a check cookie', async () => {
  const server = await startServer()
  await server.addUser()
  const cookies = []
  for (let n = 0; n < 3; n++) {
    const browser = server.openBrowser()
    await browser.enter()
    cookies.push(browser.jar.get('gatehouse-session') ?? '')
    server.clock.advance(limits.session.idle / 2)
  }
  const selectors = cookies.map(cookie => cookie.split('.')[0] ?? '')
  expect(await listLive(server.db, [...selectors, 'unknown'], server.clock.at)).toEqual(new Set(selectors.slice(2)))

  const [, , selector = ''] = selectors
  const check = () =>
    server.db
      .selectFrom('sessions')
      .select(['sessionCheckSelector', 'sessionCheckHash'])
      .where('sessionSelector', '=', selector)
      .executeTakeFirstOrThrow()
  const before = await check()
  await server.db.updateTable('sessions').set({ sessionCheckSelector: null, sessionCheckHash: null }).execute()
  await storeCheckCookie(server.db, selector, cookies[2] ?? '')
  expect(await check()).toEqual(before)
  expect(before.sessionCheckSelector).toEqual(expect.any(String))
})

test('finds whether an address was stored since a given time', async () => {
  const { db, clock } = await startServer()
  await keepReturn(db, 'https://grafana.example.com/', false, clock.at)
  const wasStored = (address: string, since: number) => wasStoredSince(db, address, since)
  expect(await wasStored('https://grafana.example.com/', clock.at)).toBe(true)
  expect(await wasStored('https://grafana.example.com/', clock.at + 1)).toBe(false)
  expect(await wasStored('https://netdata.example.com/', clock.at)).toBe(false)
})
