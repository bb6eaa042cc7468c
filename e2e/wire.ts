import { test as base, expect } from './console.ts'
import { type CallName, startWireServer, type WireServer } from './wire-server.ts'

/** One server per worker, reset for each test. */
export const test = base.extend<{ wire: WireServer }, { wireServer: WireServer }>({
  wireServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
    async ({}, use) => {
      const server = await startWireServer()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  // Automatic: without it, a test that does not use this fixture would get the previous test's replies.
  wire: [
    async ({ wireServer }, use) => {
      wireServer.reset()
      await use(wireServer)
      expect(wireServer.refused, 'requests that the wire refuses').toEqual([])
      // §7: all calls include credentials. Each page set a cookie.
      expect(
        wireServer.received.filter(({ credentials }) => !credentials).map(({ call }) => call),
        'calls without credentials',
      ).toEqual([])
    },
    { auto: true },
  ],

  baseURL: async ({ wireServer }, use) => use(wireServer.url),
})

export { expect }

export const ada = { username: 'ada@example.com', password: 'correct horse battery staple' }

/** A promise to hold back a reply, and a function that releases it. */
export const held = () => {
  let release = () => {}
  const after = new Promise<void>(resolve => (release = resolve))
  return { after, release }
}

/** How often a call was received. */
export const count = (wire: WireServer, call: CallName) => wire.received.filter(one => one.call === call).length

/** The body of the last call. */
export const lastBody = (wire: WireServer, call: CallName) => wire.received.findLast(one => one.call === call)?.body
