import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importAuthelia, importCsv, importHtpasswd } from '../../src/cli/import/import.ts'
import { limits } from '../../src/limits.ts'
import { startServer } from '../support/harness.ts'
import { runImport } from './run-import.ts'

const bcrypt = '$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS'
type Server = Awaited<ReturnType<typeof startServer>>

const fileWith = async (server: Server, name: string, text: string) => {
  const file = join(server.folder, name)
  await writeFile(file, text)
  return file
}
const usersOf = ({ db }: Server) => db.selectFrom('users').select('userIdent').orderBy('userIdent').execute()

test.each([
  ['csv', importCsv, `email,password_hash\n${bcrypt},ada@example.com\nbob@example.com,${bcrypt}\n`, {}],
  ['csv', importCsv, `email,password_hash\n${bcrypt}@example.com,\nbob@example.com,${bcrypt}\n`, {}],
  ['htpasswd', importHtpasswd, `# team\n${bcrypt}:ada\nbob:${bcrypt}\n`, { domain: 'example.com' }],
  ['authelia', importAuthelia, `users:\n  ada:\n    email: ${bcrypt}\n  bob:\n    password: ${bcrypt}\n`, { domain: 'example.com' }],
  ['authelia', importAuthelia, `users:\n  ${bcrypt}:\n    email: ''\n  bob:\n    password: ${bcrypt}\n`, { domain: 'example.com' }],
] as const)('PW-08: %s: rejects a hash in place of an address and never prints it: %#', async (name, command, text, options) => {
  const server = await startServer()
  const { result, lines, error } = await runImport(server, command, await fileWith(server, name, text), { ...options, apply: '' })
  expect(result?.rows.map(({ line, what, notes }) => [line, what, ...notes])).toEqual([
    [2, 'bad', expect.stringMatching(/^the (column email|field email|name) has the hash of a password instead of an email address$/)],
    [expect.any(Number), 'create'],
  ])
  expect(error).toBe("One line can't be imported, see 'bad' above.")
  expect(await usersOf(server)).toEqual([{ userIdent: 'bob@example.com' }])
  expect(JSON.stringify({ result, lines }).toLowerCase()).not.toContain('$2b$')
})

test('never prints a hash in place of a group, a name or a column title', async () => {
  const server = await startServer()
  const group = await fileWith(server, 'group.csv', `email,groups\nada@example.com,${bcrypt}\n`)
  const { result, lines } = await runImport(server, importCsv, group)
  expect(result?.rows[0]?.notes).toEqual(['no password in the file', 'without group "…": the name is not allowed'])
  const named = await fileWith(server, 'name.yml', `users:\n  ${bcrypt}:\n    email: ada@example.com\n`)
  const byName = await runImport(server, importAuthelia, named)
  expect(byName.result?.rows).toMatchObject([{ name: '…', address: 'ada@example.com', what: 'create' }])
  const header = await runImport(server, importCsv, await fileWith(server, 'header.csv', `${bcrypt},ada@example.com\n`))
  expect(header.error).toMatch(/header\.csv:1: a column is unknown\./)
  expect(JSON.stringify([result, lines, byName, header])).not.toContain('$2b$')
})

test('an import checks --domain before it reads a user', async () => {
  const server = await startServer()
  const file = await fileWith(server, 'htpasswd', `ada:${bcrypt}\n`)
  for (const domain of ['', '@example.com', 'example com', 'a@example.com', bcrypt])
    expect((await runImport(server, importHtpasswd, file, { domain, apply: '' })).error).toBe(
      '--domain must be the part of an email address after the @, such as example.com.',
    )
  expect(await usersOf(server)).toEqual([])
})

test('an import refuses a file with too many bytes', async () => {
  const server = await startServer()
  const { fileBytes, yamlBytes } = limits.import
  for (const [command, most] of [
    [importCsv, fileBytes],
    [importHtpasswd, fileBytes],
    [importAuthelia, yamlBytes],
  ] as const) {
    const file = await fileWith(server, 'large', '')
    await truncate(file, most + 1)
    expect((await runImport(server, command, file, { apply: '' })).error).toMatch(
      new RegExp(`large is larger than ${most / 1024 ** 2} MB\\. Nothing was imported\\. Import it in parts\\.$`),
    )
  }
  const users = await fileWith(server, 'users.yml', 'users: {}\n')
  for (const option of ['totp', 'webauthn']) {
    const large = await runImport(server, importAuthelia, users, { [option]: join(server.folder, 'large') })
    expect(large.error).toMatch(/large is larger than \d+ MB\./)
  }
})

test('an import refuses the whole file if it has too many users', async () => {
  const server = await startServer()
  const { usersMost } = limits.import
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `u${n}:{SHA}IxWSyOlrkDDBt22yUSb5B7oUjlU=`).join('\n')
  const file = await fileWith(server, 'htpasswd', rows(usersMost + 1))
  for (const options of [{}, { apply: '' }]) {
    const { error, lines } = await runImport(server, importHtpasswd, file, { ...options, domain: 'example.com' })
    expect([error, lines]).toEqual(['The file has more than 100,000 users. Nothing was imported. Import it in parts.', []])
  }
  expect(await usersOf(server)).toEqual([])
})

test('an import refuses hashes that, together with those of existing users, would make each sign-in too slow', async () => {
  const server = await startServer()
  const slow = (cost: number, name: string) => `${name}@example.com,${bcrypt.replace('$04$', `$${cost}$`)}`
  const csv = (...rows: string[]) => ['email,password_hash', ...rows].join('\n')
  const first = await fileWith(server, 'first.csv', csv(slow(14, 'ada')))
  expect((await runImport(server, importCsv, first, { apply: '' })).error).toBeUndefined()
  const next = await fileWith(server, 'next.csv', csv(slow(13, 'bob'), slow(12, 'grace'), slow(14, 'eve'), slow(10, 'max')))
  const { result, error } = await runImport(server, importCsv, next)
  expect(result?.rows.map(({ line, what, notes }) => [line, what, ...notes])).toEqual([
    [2, 'create'],
    [3, 'bad', 'its password hash (bcrypt 12) takes about 0.3 s: with the other kinds, each sign-in would take more than 2.0 s'],
    [4, 'create'],
    [5, 'create'],
  ])
  expect(error).toBe("One line can't be imported, see 'bad' above.")
})

test('an import refuses hashes of too many kinds', async () => {
  const server = await startServer()
  const { kindsMost } = limits.password.old
  const hash = (rounds: number) => `$5$rounds=${rounds}$hzboWy6uTi.5jCKY$Oq4QGgl89tDujQzsJ6kWDBozTzmg7Wl6pFWTuH5DNX8`
  const rows = Array.from({ length: kindsMost + 1 }, (_, n) => `u${n}@example.com,${hash(1000 + n)}`)
  const { result } = await runImport(server, importCsv, await fileWith(server, 'kinds.csv', ['email,password_hash', ...rows].join('\n')))
  expect(result?.counts).toMatchObject({ create: kindsMost, bad: 1 })
  expect(result?.rows.at(-1)?.notes).toEqual([
    `its password hash has a new kind (sha256-crypt ${1000 + kindsMost} 16), and at most 16 kinds are allowed`,
  ])
})

test('the output of an import names users who become administrators', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: 'grace@example.com' } })
  const file = await fileWith(server, 'users.csv', `email,password_hash\nada@example.com,${bcrypt}\nGrace@Example.com,${bcrypt}\n`)
  const dry = await runImport(server, importCsv, file)
  expect(dry.result?.rows.map(({ address, notes }) => [address, ...notes])).toEqual([
    ['ada@example.com'],
    ['grace@example.com', 'becomes an administrator: GATEHOUSE_ADMINS names this address'],
  ])
  expect(dry.lines).toContainEqual(expect.stringMatching(/^3 +create .*grace@example\.com +becomes an administrator: /))
  expect(dry.lines).toContain('1 of them becomes an administrator.')
})
