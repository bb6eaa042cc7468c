import { readdir, readFile, readlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export const portOf = (url: string) => Number(new URL(url).port)

/** The number of descriptors that a process holds for its side of connections to a port. Linux lists the socket behind each. */
export const countHeld = async (port: number, pid: number | 'self' = 'self'): Promise<number> => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = new Set<string>()
  for (const line of (await readFile('/proc/net/tcp', 'utf8')).split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    const isListening = state === '0A'
    if (local?.endsWith(suffix) && !isListening && inode) inodes.add(`socket:[${inode}]`)
  }
  const folder = `/proc/${pid}/fd`
  const held = await Promise.all((await readdir(folder)).map(fd => readlink(`${folder}/${fd}`).catch(() => '')))
  return held.filter(name => inodes.has(name)).length
}

export type SlowClient = {
  socket: Socket
  /** The server's output so far. */
  heard: () => string
  /** Milliseconds from the connection to the first byte of an answer. */
  answered: Promise<number>
}

/** A client that never closes its end. */
export const openSlow = (port: number, first = ''): SlowClient => {
  const start = performance.now()
  let heard = ''
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  // The server may reset the connection after its answer.
  socket.on('error', () => undefined)
  const answered = new Promise<number>(resolve => socket.once('data', () => resolve(performance.now() - start)))
  socket.on('data', chunk => {
    heard += chunk
  })
  if (first) socket.write(first)
  onTestFinished(() => void socket.destroy())
  return { socket, heard: () => heard, answered }
}

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A request that never completes. */
export const startOfRequest = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"username":`
