// @vitest-environment jsdom
import { SocketMessage } from '@gatehouse/wire'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSocket } from './socket.ts'

/** A socket that the test controls. */
const fakeSocket = () => {
  const sent: string[] = []
  const socket: Partial<WebSocket> = { readyState: WebSocket.CONNECTING, send: text => void sent.push(String(text)), close: vi.fn() }
  return {
    sent,
    socket: socket as WebSocket,
    open: () => {
      Object.assign(socket, { readyState: WebSocket.OPEN })
      socket.onopen?.call(socket as WebSocket, new Event('open'))
    },
    say: (data: unknown) => socket.onmessage?.call(socket as WebSocket, new MessageEvent('message', { data })),
    end: () => socket.onclose?.call(socket as WebSocket, new CloseEvent('close')),
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const connect = () => {
  const sockets: ReturnType<typeof fakeSocket>[] = []
  const [onMessage, onStateChange] = [vi.fn(), vi.fn()]
  const connection = openSocket('wss://gate.example/sockets', SocketMessage, { onMessage, onStateChange }, address => {
    expect(address).toBe('wss://gate.example/sockets')
    const made = fakeSocket()
    sockets.push(made)
    return made.socket
  })
  return { connection, sockets, onMessage, onStateChange }
}

it('reports messages of the shape and ignores all others', () => {
  const { connection, sockets, onMessage, onStateChange } = connect()
  connection.send({ tag: 'Device' })
  sockets[0]?.open()
  expect(onStateChange.mock.calls).toEqual([[true]])
  for (const data of ['{"tag":"Nonce","contents":"once"}', '{"tag":"Other"}', '{', new Blob(), '{"tag":"Nonce"}']) sockets[0]?.say(data)
  expect(onMessage.mock.calls).toEqual([[{ tag: 'Nonce', contents: 'once' }]])
  connection.send({ tag: 'Device' })
  // Messages that were sent before the socket was open are lost.
  expect(sockets[0]?.sent).toEqual(['{"tag":"Device"}'])
})

it('reports a lost connection once and failed connection attempts never, so callers keep their polling interval', () => {
  const { sockets, onStateChange } = connect()
  sockets[0]?.end()
  vi.advanceTimersByTime(500)
  sockets[1]?.open()
  sockets[1]?.end()
  vi.advanceTimersByTime(500)
  sockets[2]?.end()
  vi.advanceTimersByTime(1000)
  sockets[3]?.open()
  expect(onStateChange.mock.calls).toEqual([[true], [false], [true]])
})

it('reconnects after growing delays, immediately when the browser is online again, and never after close', () => {
  const { connection, sockets, onStateChange } = connect()
  sockets[0]?.open()
  sockets[0]?.end()
  expect(onStateChange.mock.lastCall).toEqual([false])
  vi.advanceTimersByTime(499)
  expect(sockets).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(sockets).toHaveLength(2)
  sockets[1]?.end()
  vi.advanceTimersByTime(999)
  expect(sockets).toHaveLength(2)
  window.dispatchEvent(new Event('online'))
  expect(sockets).toHaveLength(3)
  vi.advanceTimersByTime(60_000)
  expect(sockets).toHaveLength(3)
  // The end of an older socket does not affect the current one.
  sockets[1]?.end()
  sockets[2]?.open()
  connection.close()
  expect(sockets[2]?.socket.close).toHaveBeenCalledOnce()
  sockets[2]?.end()
  vi.advanceTimersByTime(60_000)
  expect(sockets).toHaveLength(3)
})
