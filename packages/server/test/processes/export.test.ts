import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportUsers } from '../../src/cli/export.ts'
import { fillLargeDatabase } from '../support/large-database.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, origin } from '../support/passkey-users.ts'
import { startEnrolled } from '../support/second-factor-users.ts'
import { makeFolder } from './backup.ts'
import { makeInstallation, runCli } from './processes.ts'

const exported = async (options: string[]) => {
  const { server, browser, secret, factorUUID, userId } = await startEnrolled()
  await addPasskey(browser, makePasskeyDevice(origin))
  const file = join(await makeFolder(), 'users.json')
  const lines: string[] = []
  await exportUsers({
    args: [file],
    options: new Map(options.map(option => [option, ''])),
    config: server.config,
    database: { db: server.db, clock: { now: () => server.clock.at, ahead: () => 0, stop: () => {} }, close: async () => {}, migrated: [] },
    write: line => lines.push(line),
    data: () => {},
  })
  const text = await readFile(file, 'utf8')
  return { text, content: JSON.parse(text), lines: lines.join('\n'), secret, factorUUID, userId, server }
}

const instant = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\S+Z$/)

test('an export lists users and their factors without any secret', async () => {
  const { text, content, lines, secret, factorUUID, userId, server } = await exported([])
  expect(content).toEqual({
    gatehouse: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    format: 1,
    exported: instant,
    secrets: false,
    users: [
      {
        id: userId,
        address: 'ada@example.com',
        created: instant,
        timeZone: expect.any(String),
        language: null,
        groups: [],
        mustResetPassword: false,
        hasPassword: true,
        providers: { google: null, microsoft: null, pak: null },
        factors: [
          { id: factorUUID, type: 'TOTP', name: 'Authenticator app', created: instant, lastUsed: instant },
          { id: expect.any(String), type: 'Passkey', name: expect.any(String), created: instant, lastUsed: instant },
        ],
      },
    ],
  })
  const stored = await server.db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow()
  for (const kept of [secret, '$argon2id$', stored.passkeyPublicKey, stored.passkeyCredentialId]) expect(text).not.toContain(kept)
  expect(lines).toMatch(/^Exported 1 users to \S+users\.json\.$/)
})

test('--with-secrets adds password hashes, authenticator secrets and passkeys, and warns that the file contains secrets', async () => {
  const { content, lines, secret, server } = await exported(['with-secrets'])
  const stored = await server.db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow()
  expect(content).toMatchObject({
    secrets: true,
    users: [
      {
        passwordHash: expect.stringMatching(/^\$argon2id\$/),
        factors: [
          { type: 'TOTP', secret },
          {
            type: 'Passkey',
            passkey: {
              credentialId: stored.passkeyCredentialId,
              publicKey: stored.passkeyPublicKey,
              counter: stored.passkeyCounter,
              domain: stored.passkeyRpId,
              userHandle: expect.stringMatching(/^[\w-]+$/),
            },
          },
        ],
      },
    ],
  })
  expect(lines).toContain('The file contains password hashes and the secrets of authenticator apps')
})

test('an export is complete, readable only by its owner, and never replaces a file', async () => {
  const { env, inDatabase } = await makeInstallation()
  await inDatabase(db => fillLargeDatabase(db, { users: 1201, rows: 10, end: Date.now() }))
  const folder = await makeFolder()
  const file = join(folder, 'users.json')
  expect(await runCli(env, ['export', file])).toEqual({ code: 0, stderr: '', stdout: `Exported 1201 users to ${file}.\n` })
  const { users } = JSON.parse(await readFile(file, 'utf8'))
  expect(new Set(users.map((user: { id: string }) => user.id)).size).toBe(1201)
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect(await readdir(folder)).toEqual(['users.json'])
  await writeFile(file, 'mine')
  expect(await runCli(env, ['export', file])).toMatchObject({ code: 1, stderr: `${file} exists already. Nothing was written.\n` })
  expect(await readFile(file, 'utf8')).toBe('mine')
})
