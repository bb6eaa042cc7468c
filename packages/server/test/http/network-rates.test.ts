import { expect, test } from 'vitest'
import { createRates, TooMany } from '../../src/http/rate-limits.ts'
import { limits, minutes } from '../../src/limits.ts'
import { startServer } from '../support/harness.ts'
import { signIn, startClock, statuses, tooMany, wrong } from './rate-counts.ts'

test('TH-09: the addresses of an IPv6 /64 share a limit in any spelling; other networks do not', async () => {
  const server = await startServer()
  const from = (remoteAddress: string) => server.app.inject({ method: 'POST', url: signIn, payload: wrong, remoteAddress })
  const network = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002::abcd', '2001:db8:1:2:0:0:0:1']
  expect(await statuses(30, i => from(network[i % network.length] ?? ''))).toEqual({ 200: 30 })
  for (const address of network) expect((await from(address)).statusCode).toBe(429)
  for (const address of ['2001:db8:1:3::1', '2001:db8:1::1', '::1', '2001:db8::1:2']) expect((await from(address)).statusCode).toBe(200)
  // An IPv4 address counts the same in its IPv6 form.
  expect(await statuses(30, i => from(i % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'))).toEqual({ 200: 30 })
  expect([(await from('203.0.113.9')).statusCode, (await from('::ffff:203.0.113.9')).statusCode]).toEqual([429, 429])
  expect((await from('::ffff:203.0.113.10')).statusCode).toBe(200)
})

test('TH-09, TH-17: counts an IPv4 client behind a translator (RFC 6052, RFC 8215) by its IPv4 address', async () => {
  for (const prefix of ['::ffff:', '64:ff9b::', '64:ff9b:1::', '64:ff9b:1:a:b:c:']) {
    const rates = createRates()
    for (let i = 0; i < limits.rates.signIn.most; i++) await rates.count('signIn', i % 2 ? `${prefix}203.0.113.9` : '203.0.113.9')
    for (const address of [`${prefix}203.0.113.9`, `${prefix}cb00:7109`, '203.0.113.9'])
      await expect(rates.count('signIn', address), address).rejects.toThrow(TooMany)
    // Other clients of the same translator have their own limits.
    for (let i = 0; i < 200; i++) await rates.count('signIn', `${prefix}198.51.100.${i}`)
  }
})

const signInsOfSite = limits.rates.signIn.most * limits.rates.siteTimes

test('TH-17: returns 429 to every /64 network of an IPv6 /48 that is over its limit, and to no other /48', async () => {
  const machine = startClock()
  const server = await startServer({ slots: 4 })
  const from = (remoteAddress: string) => server.app.inject({ method: 'POST', url: signIn, payload: wrong, remoteAddress })
  const ofSite = (i: number) => `2001:db8:1:${i.toString(16)}::1`
  expect(signInsOfSite).toBe(90)
  expect(await statuses(signInsOfSite + 10, i => from(ofSite(i)))).toEqual({ 200: signInsOfSite, 429: 10 })
  const refused = await from(ofSite(1000))
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([429, '60', tooMany])
  for (const other of ['2001:db8:2::1', '2001:db8::1', '2001:db9:1::1', '198.51.100.7']) expect((await from(other)).statusCode).toBe(200)
  machine.advance(minutes(1))
  expect((await from(ofSite(1000))).statusCode).toBe(200)
})

test('TH-17: limits mail requests, accounts and return addresses per /48 as well; a refused /64 uses up nothing of its /48', async () => {
  const rates = createRates()
  const { mail, accounts, returns, signIn, siteTimes } = limits.rates
  const address = (site: number, i: number) => `2001:db8:${site}:${i.toString(16)}::1`
  for (let i = 0; i < mail.most * siteTimes; i++) await rates.count('mail', address(1, i))
  await expect(rates.count('mail', address(1, 9999))).rejects.toThrow(TooMany)
  await rates.count('mail', address(2, 1))
  for (let i = 0; i < accounts.most * siteTimes; i++) await rates.countAccount(address(1, i), `user${i}@example.com`)
  await expect(rates.countAccount(address(1, 9999), 'new@example.com')).rejects.toThrow(TooMany)
  await rates.countAccount(address(1, 7), 'user7@example.com')
  const kept = []
  for (let i = 0; i <= returns.most * siteTimes; i++) kept.push(await rates.mayKeepReturn(address(1, i)))
  expect(kept).toEqual([...Array<boolean>(returns.most * siteTimes).fill(true), false])
  // A /64 over its limit takes nothing from its neighbors.
  for (let i = 0; i < signIn.most; i++) await rates.count('signIn', address(3, 1))
  for (let i = 0; i < 1000; i++) await expect(rates.count('signIn', address(3, 1))).rejects.toThrow(TooMany)
  for (let i = 0; i < signIn.most * (siteTimes - 1); i++) await rates.count('signIn', address(3, 2 + i))
  await expect(rates.count('signIn', address(3, 2))).rejects.toThrow(TooMany)
})
