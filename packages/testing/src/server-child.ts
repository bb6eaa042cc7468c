import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaughtMail, SeededUser, SeedUser, TestMessage, TestRequest } from '@gatehouse/server/test-protocol'
import manifest from '../package.json' with { type: 'json' }

/** The only variables that the child inherits, so that it gets no settings or secrets from the developer's shell. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TZ', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS']

const ownEnvironment = () =>
  Object.fromEntries(inherited.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

/** Node's cache of compiled scripts, in the folder where a project's tools keep their caches. It saves processor time at each start. */
const compileCache = (): Record<string, string> => {
  const modules = join(process.cwd(), 'node_modules')
  return existsSync(modules) ? { NODE_COMPILE_CACHE: join(modules, '.cache/gatehouse-testing') } : {}
}

const findServer = (): string => {
  try {
    return createRequire(import.meta.url).resolve('@gatehouse/server/test-server')
  } catch (cause) {
    throw new Error('@gatehouse/testing needs @gatehouse/server of the same version. Install both.', { cause })
  }
}

/** Opens the socket that the server listens on, so that no other program can take its port. */
const openSocket = async (port: number | undefined): Promise<{ socket: Server; port: number }> => {
  // Close connections that arrive before the server listens.
  const socket = createServer(early => early.destroy())
  try {
    await once(socket.listen({ port: port ?? 0, host: '127.0.0.1', exclusive: true }), 'listening')
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    throw new Error(isTaken ? `Port ${port} is in use. Stop the program that uses it, or leave out the option port.` : String(cause), {
      cause,
    })
  }
  const address = socket.address()
  if (address === null || typeof address === 'string') throw new Error('the socket has no port')
  return { socket, port: address.port }
}

/** Trusts messages on the channel: the server that sends them has the same version, which the start checks. */
const isMessage = (message: unknown): message is TestMessage => typeof message === 'object' && message !== null && 'is' in message

/** The newest lines that the server wrote to standard error. */
const createLog = (most: number) => {
  let text = ''
  return {
    add: (chunk: string) => {
      text = (text + chunk).slice(-most)
    },
    all: () => text,
    last: (lines: number) => text.trimEnd().split('\n').slice(-lines).join('\n'),
  }
}

export type Start = {
  users: readonly SeedUser[]
  env: Readonly<Record<string, string>>
  port: number | undefined
  timeout: number
  caught: (mail: CaughtMail) => void
}

/** Resolves when a process has ended and all its output has arrived. The event `close` does not come if this side closed the channel. */
const endOf = (child: ChildProcess) =>
  new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', async (code, signal) => {
      if (child.stderr && !child.stderr.closed) await once(child.stderr, 'close')
      resolve(signal ? `it was ended by ${signal}` : `it ended with ${code}`)
    })
  })

/** Lets this process end while the child runs. The child then ends too. */
const leaveAlone = (child: ChildProcess) => {
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
}

/** The calls that the server has not answered yet. */
const createCalls = (child: ChildProcess) => {
  const open = new Map<number, PromiseWithResolvers<SeededUser | undefined>>()
  let made = 0
  let over: Error | undefined
  return {
    make: async (build: (id: number) => TestRequest): Promise<SeededUser | undefined> => {
      if (over) throw over
      if (!child.connected) throw new Error('The Gatehouse server has ended: the test has stopped it.')
      const id = ++made
      const answer = Promise.withResolvers<SeededUser | undefined>()
      open.set(id, answer)
      child.channel?.ref()
      child.send(build(id), error => error && answer.reject(error))
      try {
        return await answer.promise
      } finally {
        open.delete(id)
        if (open.size === 0) child.channel?.unref()
      }
    },
    settle: (message: Extract<TestMessage, { is: 'done' | 'refused' }>) => {
      const answer = open.get(message.id)
      if (message.is === 'done') answer?.resolve(message.user)
      else answer?.reject(new Error(message.says))
    },
    fail: (error: Error) => {
      over = error
      for (const { reject } of open.values()) reject(error)
    },
  }
}

/** Starts the server of @gatehouse/server for tests, and talks to it. It ends when this process ends. */
export const startServerChild = async ({ users, env, port: wanted, timeout, caught }: Start) => {
  const program = findServer()
  const { socket, port } = await openSocket(wanted)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-testing-'))
  const child = spawn(process.execPath, ['--max-semi-space-size=4', program], {
    env: {
      ...compileCache(),
      ...ownEnvironment(),
      ...env,
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_DATA_DIR: folder,
      GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64'),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const log = createLog(200_000)
  child.stderr?.setEncoding('utf8').on('data', log.add)
  const ended = endOf(child).finally(() => rmSync(folder, { recursive: true, force: true }))

  const calls = createCalls(child)
  const ready = Promise.withResolvers<Extract<TestMessage, { is: 'ready' }>>()
  child.on('message', message => {
    if (!isMessage(message)) return
    if (message.is === 'ready') ready.resolve(message)
    else if (message.is === 'mail') caught(message.mail)
    else calls.settle(message)
  })

  const stop = async () => {
    child.ref()
    // The server ends when its parent closes the channel. On Windows, a signal would end the server without cleanup.
    if (child.connected) child.disconnect()
    const impatient = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(impatient)
  }

  const tooLate = setTimeout(() => ready.reject(new Error(`Gatehouse did not start within ${timeout} ms.\n${log.last(20)}`)), timeout)
  void ended.then(how => {
    ready.reject(new Error(`Gatehouse did not start: ${how}.\n${log.last(20)}`))
    calls.fail(new Error(`The Gatehouse server has ended: ${how}.\n${log.last(20)}`))
  })
  try {
    // Ignore an error of the channel: if the server ends immediately, its output says more.
    child.send({ do: 'start', users } satisfies TestRequest, socket, undefined, () => socket.close())
    const { version, ...started } = await ready.promise
    if (version !== manifest.version)
      throw new Error(`@gatehouse/testing ${manifest.version} needs @gatehouse/server ${manifest.version}, and ${version} is installed.`)
    leaveAlone(child)
    return {
      ...started,
      /** The address of the socket, for calls of this package. */
      address: `http://127.0.0.1:${port}`,
      addUser: async (user: SeedUser): Promise<SeededUser> => {
        const added = await calls.make(id => ({ do: 'add-user', id, user }))
        if (!added) throw new Error('the server did not name the new user')
        return added
      },
      acceptCodesAgain: async (userId: string) => void (await calls.make(id => ({ do: 'accept-codes-again', id, userId }))),
      log: log.all,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(tooLate)
  }
}
