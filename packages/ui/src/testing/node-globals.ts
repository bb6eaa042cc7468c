import { webcrypto } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web'

/** Globals of browsers and of Node that jsdom lacks. Tests of pages run in a context of `node:vm`, which has jsdom's globals only. */
const globals = { ReadableStream, TransformStream, WritableStream, crypto: webcrypto, performance }
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
