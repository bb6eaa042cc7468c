import { Agent, request } from 'node:http'

export type Answer = {
  /** Milliseconds from sending the request to the end of the response. */
  took: number
  status: number
  /** In the order received. */
  headers: readonly (readonly [name: string, value: string])[]
  body: string
}

/** Posts JSON over a single kept-alive connection. */
export const createClient = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  const post = (path: string, body: string, from: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Gatehouse timing bench',
        'x-forwarded-for': from,
      }
      const asked = request({ host: '127.0.0.1', port, method: 'POST', path, agent, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const took = performance.now() - start
          const { rawHeaders, statusCode: status = 0 } = response
          const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? ''] as const] : []))
          resolve({ took, status, headers: pairs, body: Buffer.concat(chunks).toString() })
        })
      })
      asked.on('error', reject)
      const start = performance.now()
      asked.end(body)
    })

  return { post, close: () => agent.destroy() }
}
export type Client = ReturnType<typeof createClient>
