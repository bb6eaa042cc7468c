import { connect, type Socket } from 'node:net'

/** A kept-alive connection that does as little work as possible, because client and server share a machine. */
export const openConnection = async (port: number) => {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return {
    /** Sends a request. Returns the milliseconds to the end of the response. Throws if the response's status is not 200. */
    ask: (request: Buffer) => {
      const start = performance.now()
      socket.write(request)
      return answerOf(socket).then(() => performance.now() - start)
    },
    close: () => socket.destroy(),
  }
}

const answerOf = (socket: Socket) =>
  new Promise<void>((resolve, reject) => {
    let text = ''
    const end = (error?: Error) => {
      socket.off('data', take).off('error', end)
      if (error) reject(error)
      else resolve()
    }
    const take = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const head = text.indexOf('\r\n\r\n') + 4
      if (head < 4) return
      if (!text.startsWith('HTTP/1.1 200 ')) return end(new Error(`unexpected response: ${text}`))
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1]
      // A response without a length is chunked. An empty chunk ends it.
      if (length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + Number(length)) end()
    }
    socket.on('data', take).on('error', end)
  })

/** `body` is sent as JSON with POST. Without a body, the method is GET. */
export const requestFor = (path: string, headers: Record<string, string>, body?: object): Buffer => {
  if (body === undefined) return head('GET', path, headers)
  const text = Buffer.from(JSON.stringify(body))
  return Buffer.concat([
    head('POST', path, { ...headers, 'content-type': 'application/json', 'content-length': String(text.length) }),
    text,
  ])
}

const head = (method: string, path: string, headers: Record<string, string>): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
