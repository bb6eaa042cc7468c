// A Better Auth server on node:http, with our server's Argon2id parameters and durability. It runs in the folder with its packages.
// Usage: node better-auth.mjs PORT FOLDER [postgres-url]
import { createServer } from 'node:http'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import Database from 'better-sqlite3'
import pg from 'pg'

const [port, folder, url] = process.argv.slice(2)
const cost = { algorithm: 2, memoryCost: 19456, timeCost: 2, parallelism: 1 }
const database = url ? new pg.Pool({ connectionString: url, max: 10 }) : new Database(join(folder, 'better-auth.sqlite'))
if (!url) {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
}
const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'x'.repeat(40),
  database,
  emailAndPassword: {
    enabled: true,
    password: { hash: password => hash(password, cost), verify: ({ hash: stored, password }) => verify(stored, password) },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
})
await (await getMigrations(auth.options)).runMigrations()
for (let n = 0; n < 20; n++)
  await auth.api.signUpEmail({ body: { email: `user-${n}@example.com`, password: 'correct horse battery', name: 'User' } })
createServer(toNodeHandler(auth)).listen(Number(port), '127.0.0.1')
