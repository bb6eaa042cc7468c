import { admin } from './gatehouse.ts'
import { expect, needs, test } from './protecting.ts'
import { knowsStreamTimeout, type ProxyName } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'

// These tests open a WebSocket and then end its session.

const withoutFactor = (recipe: Record<string, string>) => ({ ...recipe, GATEHOUSE_SECOND_FACTOR: 'off' })

/** Opens a WebSocket in the page. `window.held` keeps it, so that `closedAfter` reads the same WebSocket later. */
const openSocket = () =>
  new Promise<string>(resolve => {
    const socket = new WebSocket(`wss://${location.host}/api/live/ws`)
    const began = performance.now()
    const held = { socket, closedAfter: undefined as number | undefined }
    Object.assign(window, { held })
    socket.onmessage = ({ data }) => resolve(data)
    socket.onerror = () => resolve('refused')
    socket.onclose = () => {
      held.closedAfter = performance.now() - began
    }
  })
/** `undefined` while the WebSocket is open. */
const closedAfter = () => (window as unknown as { held: { closedAfter: number | undefined } }).held.closedAfter

for (const proxy of ['nginx', 'caddy'] satisfies ProxyName[])
  test(`an open WebSocket stays open behind ${proxy} when its session ends, and a new one is refused`, async ({ open, user }) => {
    needs(proxy)
    const site = await open({ proxy, hosts: 'names', settings: withoutFactor })
    const { page } = user
    await page.goto(site.at('grafana.example.com', '/d/x'))
    await user.signIn()
    await expect(page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
    expect(await page.evaluate(openSocket)).toBe(`Hello ${admin.username}`)
    await site.gatehouse.cli('user', 'force-reset', admin.username)
    expect((await user.ask('/api/health')).status).toBe(401)
    await page.waitForTimeout(1500)
    expect(await page.evaluate(closedAfter)).toBeUndefined()
    expect(await page.evaluate(openSocket)).toBe('refused')
  })

test('Caddy 2.7 and later closes a WebSocket after stream_timeout, and asks Gatehouse about the next connection', async ({
  open,
  user,
}) => {
  needs('caddy')
  test.skip(!knowsStreamTimeout(), 'this Caddy is older than 2.7 and does not know stream_timeout')
  const edit = (recipe: string) => change(recipe, ['stream_timeout 1h', 'stream_timeout 3s'])
  const site = await open({ proxy: 'caddy', hosts: 'names', edit, settings: withoutFactor })
  const { page } = user
  await page.goto(site.at('grafana.example.com', '/d/x'))
  await user.signIn()
  await expect(page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
  expect(await page.evaluate(openSocket)).toBe(`Hello ${admin.username}`)
  await expect.poll(() => page.evaluate(closedAfter), { timeout: 10_000 }).toBeGreaterThan(2900)
  expect(await page.evaluate(closedAfter)).toBeLessThan(5000)
  expect(await page.evaluate(openSocket)).toBe(`Hello ${admin.username}`)
  await site.gatehouse.cli('user', 'force-reset', admin.username)
  await expect.poll(() => page.evaluate(closedAfter), { timeout: 10_000 }).toBeGreaterThan(2900)
  expect(await page.evaluate(openSocket)).toBe('refused')
})
