import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { makeInstallation, startProcess } from './processes.ts'

export const admin = { username: 'admin@example.com', password: 'a password for stopping' }

/** A server whose stop is measured; `since` is the time since the signal. */
export const startToStop = async (more: Record<string, string>) => {
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_ADMIN_PASSWORD: admin.password, ...more }
  const start = async () => {
    const server = startProcess(env)
    const url = await server.ready
    const kill = (signal: NodeJS.Signals) => {
      const begun = performance.now()
      server.child.kill(signal)
      return { since: () => performance.now() - begun }
    }
    return { ...server, url, kill }
  }
  return { ...installation, start }
}

/** A client that keeps one connection, like a proxy. */
export const keepConnection = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  let connections = 0
  const ask = async (path: string) => {
    const sent = request({ port, host: '127.0.0.1', path, agent })
    sent.on('socket', socket => {
      if (socket.connecting) connections++
    })
    sent.end()
    const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return [response.statusCode, response.headers.connection]
  }
  return { ask, connections: () => connections }
}
