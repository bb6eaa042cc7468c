// The server that @gatehouse/testing starts: a complete server with the users that the test names, and a database in memory. Mail goes to
// the test. It runs only as a child process of that package, on this machine only. No setting of `gatehouse start` starts it: see
// decision 085.
import { rmSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import { inMemory } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import { readVersion } from '../program.ts'
import { startServer } from '../server-process.ts'
import { canonicalUsername } from '../users/username.ts'
import { createMemoryMailbox } from './memory-mailbox.ts'
import type { SeededUser, SeedUser, TestMessage, TestRequest } from './protocol.ts'
import { createSeeder, SeedProblem } from './seed-users.ts'
import { acceptCodesAgain } from './used-codes.store.ts'

const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const say = (message: TestMessage) => void process.send?.(message)

/** The socket that the test opened, so that no other program takes the port before the server listens. */
const listenerOf = (socket: Server | undefined) => {
  if (socket === undefined) return refuse('The test server got no socket to listen on.')
  // Close connections that arrive before the server listens.
  socket.on('connection', early => early.destroy())
  return { _handle: Reflect.get(socket, '_handle') }
}

const administratorsAmong = (users: readonly SeedUser[]): ReadonlySet<string> =>
  new Set(users.flatMap(({ email, administrator }) => (administrator ? (canonicalUsername(email) ?? []) : [])))

type Deps = { config: Config; db: Kysely<Tables>; now: () => number }

const answerTo = async (request: TestRequest, { db }: Deps, addUsers: (users: readonly SeedUser[]) => Promise<SeededUser[]>) => {
  switch (request.do) {
    case 'start':
      throw new Error('the server has started already')
    case 'add-user': {
      const [user] = await addUsers([request.user])
      return user && { user }
    }
    case 'accept-codes-again':
      return acceptCodesAgain(db, request.userId)
  }
}

const begin = async ({ users }: { users: readonly SeedUser[] }, socket: Server | undefined) => {
  let started: { deps: Deps; addUsers: (users: readonly SeedUser[]) => Promise<SeededUser[]>; seeded: SeededUser[] } | undefined
  await startServer({
    test: {
      configure: config => ({ ...config, databaseUrl: inMemory, firstAdmin: undefined, admins: administratorsAmong(users) }),
      mailbox: ({ mailFrom }) => createMemoryMailbox(mailFrom, ({ id: _, ...mail }) => say({ is: 'mail', mail })),
      prepare: async deps => {
        process.on('exit', () => rmSync(deps.config.dataDir, { recursive: true, force: true }))
        const { addUsers } = await createSeeder(deps)
        started = { deps, addUsers, seeded: await addUsers(users) }
      },
      listener: listenerOf(socket),
    },
  })
  if (!started) throw new Error('the server has started without its users')
  const { deps, addUsers, seeded } = started
  const { publicUrl, passkeys } = deps.config
  const rpId = passkeys.is === 'On' ? passkeys.relyingParty.rpId : null
  process.on('message', (request: TestRequest & { id: number }) => {
    answerTo(request, deps, addUsers).then(
      done => say({ is: 'done', id: request.id, ...done }),
      error => say({ is: 'refused', id: request.id, says: error instanceof SeedProblem ? error.message : String(error) }),
    )
  })
  say({ is: 'ready', version: readVersion(), url: publicUrl.origin + publicUrl.path, rpId, users: seeded })
}

if (!process.send) refuse('This is the server of @gatehouse/testing, which starts it. To start a server, run gatehouse start.')
if (process.env.NODE_ENV === 'production') refuse('The test server does not start with NODE_ENV=production.')
process.once('message', (request: TestRequest, socket: Server | undefined) => {
  if (request.do !== 'start') refuse('The test server expects to be started first.')
  else void begin(request, socket)
})
