import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { importAuthelia, importCsv, importHtpasswd } from '../../src/cli/import/import.ts'
import { countOldPasswords } from '../../src/db/old-password-kinds.ts'
import { examineOldPasswords } from '../../src/doctor/old-passwords.ts'
import { seconds } from '../../src/limits.ts'
import { codeAt, otpOf } from '../support/authenticator.ts'
import { isSignedIn, startServer } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { origin, signInAware } from '../support/passkey-users.ts'
import { runImport } from './run-import.ts'

type Server = Awaited<ReturnType<typeof startServer>>
const fixture = (name: string) => join(import.meta.dirname, name)

const fileWith = async (server: Server, name: string, text: string) => {
  const file = join(server.folder, name)
  await writeFile(file, text)
  return file
}

const totp = { totp: fixture('totp.yml') }
const applied = { apply: '', ...totp }
const start = () => startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
const usersOf = ({ db }: Server) => db.selectFrom('users').selectAll().orderBy('userIdent').execute()
const passwordOf = (name: string) => `the old password of ${name} é`

test('PW-08: users of Authelia sign in with their passwords and codes; the server stores no old hash, and a second import changes nothing', async () => {
  const server = await start()
  const before = await runImport(server, importAuthelia, fixture('users_database.yml'), totp)
  expect(await usersOf(server)).toEqual([])
  const imported = await runImport(server, importAuthelia, fixture('users_database.yml'), applied)
  const { result } = imported
  checkRemarks(imported)
  await checkSecondImport(server)
  expect(before.result).toEqual({ ...result, applied: false })
  expect(before.lines.at(-1)).toBe('Nothing was changed. Run the command again with --apply.')
  expect(result?.counts).toEqual({ create: 11, unchanged: 0, differs: 0, skip: 1, bad: 4 })
  const stored = await usersOf(server)
  expect(stored.find(user => user.userIdent === 'bcrypt@example.com')?.userGroups).toBe('dev')
  const file = await readFile(fixture('users_database.yml'), 'utf8')
  const digests = [...file.matchAll(/password: \S*\$(\S+)$/gm)].map(([, digest = '']) => digest.slice(-20))
  for (const { userIdent, userPassword, userPasswordSalt } of stored) {
    if (userIdent !== 'yescrypt@example.com') expect(userPassword).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    for (const digest of digests) expect(`${userPassword} ${userPasswordSalt}`).not.toContain(digest)
  }
  const names = stored.flatMap(({ userIdent, userPassword }) => (userPassword === null ? [] : [userIdent.split('@')[0] ?? '']))
  expect(names).toHaveLength(10)
  expect(await examineOldPasswords(server.db)).toEqual([
    { level: 'ok', about: 'imported passwords', says: expect.stringContaining('10 imported users have not signed in since') },
  ])
  for (const [i, name] of names.entries()) {
    const username = `${name}@example.com`
    expect((await countOldPasswords(server.db)).size).toBe(names.length - i)
    const wrong = await server.openBrowser().signIn({ username, password: passwordOf('another') })
    expect([name, wrong.tag]).toEqual([name, 'AuthFailureFailedLogin'])
    const outcome = await server.openBrowser().signIn({ username, password: passwordOf(name) })
    expect([name, outcome.tag]).toEqual([name, name === 'sha512' ? 'AuthRequires2FA' : 'AuthRequiresFactorCreation'])
    if (name === 'sha512') await finishSha512(server)
  }
  // Each sign-in replaced the old hash with an Argon2id hash.
  expect((await countOldPasswords(server.db)).size).toBe(0)
  expect(await examineOldPasswords(server.db)).toEqual([])
  const normal = await server.openBrowser().signIn({ username: 'bcrypt@example.com', password: passwordOf('bcrypt') })
  expect(normal.tag).toBe('AuthRequiresFactorCreation')
})

/** Finishes the sign-in of the user whose authenticator app was imported too. */
const finishSha512 = async (server: Server) => {
  const user = { username: 'sha512@example.com', password: passwordOf('sha512') }
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSW'
  const browser = server.openBrowser()
  const otpVerification = await codeAt(secret, server.clock.at)
  const outcome = await browser.call(routes.verifyOTP, { ...otpOf(user), otpVerification })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await browser.call(routes.plowlogin, outcome.contents)
  expect(await isSignedIn(browser)).toBe(true)
  server.clock.advance(seconds(30))
}

/** Every line that the import leaves out has its reason, and no output repeats a hash. */
const checkRemarks = ({ result, lines, error }: Awaited<ReturnType<typeof runImport>>) => {
  const remarks = Object.fromEntries(
    (result?.rows ?? []).flatMap(row => (row.notes.length > 0 ? [[row.name, [row.line, row.what, ...row.notes]]] : [])),
  )
  expect(remarks).toEqual({
    bcrypt: [
      26,
      'create',
      'without group "Admins": the name is not allowed',
      'without group "administrators": the name is not allowed',
      'without authenticator app: SHA256, 8 digits and 60 s are not supported, only SHA1, 6 digits and 30 s',
    ],
    yescrypt: [83, 'create', 'without password: the hash is yescrypt'],
    noemail: [91, 'bad', 'has no email address (--domain completes names without one)'],
    gone: [97, 'skip', 'is disabled in the file'],
    clear: [103, 'bad', 'the password hash has no known format'],
    twin: [109, 'bad', 'has the same address as line 26'],
    nobody: [18, 'bad', expect.stringMatching(/^is in \S+totp\.yml and not in \S+users_database\.yml$/)],
  })
  expect(error).toBe("4 lines can't be imported, see 'bad' above.")
  const said = JSON.stringify({ result, lines })
  for (const secret of ['correct horse', 'JBSWY3DP', '$2b$', '$6$', 'u3mHE97Si8hpbr6v']) expect(said).not.toContain(secret)
}

/** A second import changes nothing, and lists what differs. */
const checkSecondImport = async (server: Server) => {
  const before = await usersOf(server)
  const again = await runImport(server, importAuthelia, fixture('users_database.yml'), applied)
  expect(again.result?.counts).toMatchObject({ create: 0, unchanged: 11, differs: 0 })
  const text = await readFile(fixture('users_database.yml'), 'utf8')
  const changed = text
    .replace('$2b$04$abcdefghijklmnopqrstuu', '$2b$04$abcdefghijklmnopqrstvu')
    .replace('- admins\n            - dev', '- dev')
  const { result } = await runImport(server, importAuthelia, await fileWith(server, 'changed.yml', changed), applied)
  expect(result?.rows.filter(row => row.what === 'differs').map(({ name, notes }) => [name, notes])).toEqual([
    ['argon2d', ['the groups are admins, dev here and dev in the file']],
    ['bcrypt', ['the file has another password']],
  ])
  expect(await usersOf(server)).toEqual(before)
}

test('a broken file changes nothing', async () => {
  const server = await start()
  const text = await readFile(fixture('users_database.yml'), 'utf8')
  const broken = await fileWith(server, 'broken.yml', `${text}    tail: [`)
  expect((await runImport(server, importAuthelia, broken, applied)).error).toMatch(
    /broken\.yml:\d+: this is not valid YAML\. Nothing was imported\.$/,
  )
  // The message names no secret, wherever the quote is.
  for (const last of ['"grace@example.com', '"ada"x', 'a secret with a "']) {
    const csv = await fileWith(server, 'broken.csv', `email\nada@example.com\n${last}\n`)
    const { error } = await runImport(server, importCsv, csv, { apply: '' })
    expect([last, error]).toEqual([last, expect.stringMatching(/broken\.csv:\d: this is not valid CSV from here on: check the quotes\.$/)])
  }
  expect(await usersOf(server)).toEqual([])
})

test('--domain completes the names of an htpasswd file that lack a domain', async () => {
  const server = await startServer()
  const lines = [
    '# team',
    'ada:$apr1$abcdefgh$9MzQK245jetXR0eAQY6rX1',
    'grace@example.org:{SHA}IxWSyOlrkDDBt22yUSb5B7oUjlU=',
    'no colon',
    'bob:',
  ]
  const file = await fileWith(server, 'htpasswd', lines.join('\r\n'))
  const { result } = await runImport(server, importHtpasswd, file, { apply: '', domain: 'example.com' })
  expect(result?.rows.map(({ line, address, what }) => [line, address ?? null, what])).toEqual([
    [2, 'ada@example.com', 'create'],
    [3, 'grace@example.org', 'create'],
    [4, null, 'bad'],
    [5, 'bob@example.com', 'create'],
  ])
  await server.openBrowser().enter({ username: 'ada@example.com', password: passwordOf('apr1') })
  await server.openBrowser().enter({ username: 'grace@example.org', password: passwordOf('sha1') })
})

test('imports groups and authenticator apps from a CSV file; --invite mails only users without a password', async () => {
  const server = await start()
  const rows = [
    'email,name,password_hash,groups,totp',
    'ada@example.com,Ada,$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS,dev ops,jbsw y3dp ehpk 3pxp jbsw y3dp ehpk 3pxp',
    '"grace@example.com","Grace, ""Amazing""",,,otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&digits=8',
    'bob@example.com;Bob;a secret',
    'bob@example.com,Bob,not a hash,,',
  ]
  const file = await fileWith(server, 'users.csv', rows.join('\n'))
  const { result } = await runImport(server, importCsv, file, { apply: '', invite: '' })
  expect(result?.rows.map(({ line, what, notes }) => [line, what, ...notes])).toEqual([
    [2, 'create'],
    [
      3,
      'create',
      'no password in the file',
      'without authenticator app: SHA1, 8 digits and 30 s are not supported, only SHA1, 6 digits and 30 s',
    ],
    [4, 'bad', 'has 1 columns instead of 5'],
    [5, 'bad', 'the password hash has no known format'],
  ])
  expect(JSON.stringify(result)).not.toContain('a secret')
  expect((await usersOf(server)).map(({ userIdent, userGroups }) => [userIdent, userGroups])).toEqual([
    ['ada@example.com', 'dev ops'],
    ['grace@example.com', ''],
  ])
  const user = { username: 'ada@example.com', password: passwordOf('bcrypt') }
  const otpVerification = await codeAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', server.clock.at)
  expect((await server.openBrowser().call(routes.verifyOTP, { ...otpOf(user), otpVerification })).tag).toBe('AuthSuccessful')
  expect((await server.deliver()).map(({ to }) => to)).toEqual(['grace@example.com'])
  const clear = await fileWith(server, 'clear.csv', 'email,password\nada@example.com,correct horse battery staple\n')
  expect((await runImport(server, importCsv, clear)).error).toMatch(/there is no column for passwords, only password_hash/)
})

/** An export of Authelia's storage with the passkey of a device. */
const webauthnExport = (device: ReturnType<typeof makePasskeyDevice>, key: string, fields: Record<string, string | boolean>) => {
  const [held] = device.held
  const base64 = (text = '') => Buffer.from(text, 'base64url').toString('base64')
  const entry = { username: 'bcrypt', description: 'Primary', kid: base64(held?.id), public_key: base64(key), ...fields }
  return `webauthn_credentials:\n${['  - created_at: 2025-03-01T12:30:00Z', ...Object.entries(entry).map(([name, value]) => `    ${name}: ${value}`)].join('\n')}\n`
}

test('a WebAuthn credential of Authelia is a second factor at once, and never signs in alone', async () => {
  // Registers the credential with another Gatehouse server, in place of Authelia.
  const authelia = await startServer()
  await authelia.addUser()
  const registering = authelia.openBrowser()
  await registering.enter()
  const device = makePasskeyDevice(origin, { synced: false })
  await registering.call(passkeyRoutes.passkeyAdd, {
    credential: device.create(await registering.call(passkeyRoutes.passkeyAddOptions, {})),
  })
  const { passkeyPublicKey } = await authelia.db.selectFrom('passkeys').select('passkeyPublicKey').executeTakeFirstOrThrow()

  const server = await start()
  const good = { rpid: 'localhost', verified: true, backup_eligible: false, sign_count: '1', attestation_type: 'none' }
  const bad = [{ rpid: 'auth.example.com' }, { verified: false }, { legacy: true }, { attestation_type: 'fido-u2f' }]
  for (const [n, wrong] of bad.entries()) {
    const webauthn = await fileWith(server, `bad${n}.yml`, webauthnExport(device, passkeyPublicKey, { ...good, ...wrong }))
    const { result } = await runImport(server, importAuthelia, fixture('users_database.yml'), { webauthn })
    expect(result?.rows.find(row => row.name === 'bcrypt')?.notes.at(-1)).toMatch(/^without passkey: it (is bound|was registered)/)
  }
  const webauthn = await fileWith(server, 'webauthn.yml', webauthnExport(device, passkeyPublicKey, good))
  await runImport(server, importAuthelia, fixture('users_database.yml'), { webauthn, apply: '' })
  const browser = server.openBrowser()
  const user = { username: 'bcrypt@example.com', password: passwordOf('bcrypt') }
  const outcome = await signInAware(browser, user)
  expect(outcome.tag).toBe('AuthRequires2FA')
  const options = await browser.call(passkeyRoutes.passkeyOptions, { purpose: 'SecondFactor' })
  const second = await browser.call(passkeyRoutes.passkeyVerify, { ...otpOf(user), credential: device.get(options, { counter: 7 }) })
  expect(second.tag).toBe('AuthSuccessful')
  const alone = server.openBrowser()
  const asked = await alone.call(passkeyRoutes.passkeyOptions, { purpose: 'SignIn' })
  const refused = await alone.call(passkeyRoutes.passkeySignIn, { credential: device.get(asked, { counter: 8 }) })
  expect(refused.tag).not.toBe('AuthSuccessful')
})

test('PW-08: a password that an older server changed works, and no longer counts as imported after a sign-in', async () => {
  const server = await startServer()
  const csv =
    'email,password_hash\nscrypt@example.com,"$scrypt$ln=4,r=8,p=1$J9qflQ3zS3AspWK//JfBTw$GuNIUA1Yp0bsGBi+Anb4aI30+krRlJrYzNUa5HQiUKc"\n'
  await runImport(server, importCsv, await fileWith(server, 'users.csv', csv), { apply: '' })
  const user = { username: 'scrypt@example.com', password: 'a new password by an older server' }
  const other = await server.addUser({ ...user, username: 'other@example.com' })
  const { userPassword } = await server.db.selectFrom('users').selectAll().where('userId', '=', other).executeTakeFirstOrThrow()
  await server.db.updateTable('users').set({ userPassword }).where('userIdent', '=', user.username).execute()
  const browser = server.openBrowser()
  expect((await countOldPasswords(server.db)).size).toBe(1)
  await browser.enter(user)
  expect((await countOldPasswords(server.db)).size).toBe(0)
  // A hash pasted in place of a password is refused.
  const newpassword = '$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS'
  const change = { useridentity: user.username, oldpassword: user.password, newpassword }
  const response = await browser.send('POST', accountRoutes.userPasswordReset.path, change)
  expect(response.body).toContain('is the hash of a password')
})
