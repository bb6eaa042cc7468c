import { type Gatehouse, startGatehouse } from '@gatehouse/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let gatehouse: Gatehouse
beforeAll(async () => {
  gatehouse = await startGatehouse({ users: [{ email: 'ada@example.com', secondFactor: 'totp' }] })
})
afterAll(() => gatehouse.stop())

const isSignedIn = async (headers: Record<string, string>) => {
  const own = { 'content-type': 'application/json', origin: gatehouse.url }
  const response = await fetch(`${gatehouse.url}/session/check`, { method: 'POST', headers: { ...own, ...headers }, body: '{}' })
  return (await response.json()).signedIn
}

test('recognizes a signed-in user', async () => {
  const { headers } = await gatehouse.signIn('ada@example.com')
  expect(await isSignedIn(headers)).toBe(true)
  expect(await isSignedIn({})).toBe(false)
})
