/**
 * Gives each test file its own channels. A BroadcastChannel connects all threads of a process, so files that run beside each other would
 * receive each other's messages.
 */
const Shared = globalThis.BroadcastChannel
const file = crypto.randomUUID()

globalThis.BroadcastChannel = class extends Shared {
  constructor(name: string) {
    super(`${name} of ${file}`)
  }
}
