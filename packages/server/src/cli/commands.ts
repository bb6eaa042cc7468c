import type { Command } from './command.ts'
import { onDatabase } from './on-database.ts'

const importDetails =
  'Without --apply it only lists what it would do. Existing users stay as they are. Servers may run meanwhile. If the command was interrupted, run it again. The exit code is 1 if a line is bad. docs/moving-in.md describes the formats.'

const importOptions = {
  apply: { says: 'creates the users' },
  invite: { says: 'mails users without a password a link to choose one' },
} as const

const domain = { value: 'DOMAIN', says: 'completes names of users without an address: ada becomes ada@DOMAIN' } as const

/** Every command. Each loads its own modules, so that `start` holds no other command in memory. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    args: [],
    says: 'starts the server',
    details: 'Settings are environment variables. The server ends on SIGTERM, after it has answered the requests in progress.',
    run: async () => (await import('../server-process.ts')).startServer({}),
  },
  {
    name: 'user add',
    args: ['ADDRESS'],
    says: 'adds a user; the password is read from standard input',
    printsData: true,
    run: onDatabase(async () => (await import('./users.ts')).addUser),
  },
  {
    name: 'user list',
    args: [],
    says: 'lists all users and their locks',
    printsData: true,
    run: onDatabase(async () => (await import('./list-users.ts')).listUsers),
  },
  {
    name: 'user unlock',
    args: ['ADDRESS'],
    says: "unlocks a user's password and second factor",
    run: onDatabase(async () => (await import('./users.ts')).unlockUser),
  },
  {
    name: 'user force-reset',
    args: ['ADDRESS'],
    says: 'signs a user out everywhere and requires a new password',
    run: onDatabase(async () => (await import('./users.ts')).forceReset),
  },
  {
    name: 'user reset-factor',
    args: ['ADDRESS'],
    says: 'removes all second factors of a user who lost them',
    run: onDatabase(async () => (await import('./users.ts')).resetFactor),
  },
  {
    name: 'user delete',
    args: ['ADDRESS'],
    says: 'deletes a user and ends all their sessions',
    run: onDatabase(async () => (await import('./users.ts')).deleteUser),
  },
  {
    name: 'doctor',
    args: ['[ADDRESS]'],
    says: 'checks the configuration, database, clock, mail and more',
    details:
      'With ADDRESS, requests that address behind a proxy as a browser would, and reports problems. The exit code is 1 if there is a problem.',
    printsData: true,
    run: async call => (await import('./doctor.ts')).runDoctor(call),
  },
  {
    name: 'rules check',
    args: [],
    says: 'checks the rules for protected applications, and prints them',
    details: 'Reads the file in GATEHOUSE_RULES, or prints the rules that GATEHOUSE_PROTECTED_ORIGINS stands for.',
    printsData: true,
    run: async call => (await import('./rules.ts')).checkRules(call),
  },
  {
    name: 'rules explain',
    args: ['METHOD', 'URL'],
    says: 'tells which rule decides a request, and why',
    details: 'Without --user, the request is one of a visitor. With it, the user has just signed in with all that a rule can require.',
    options: {
      user: { value: 'ADDRESS', says: 'the user who makes the request' },
      from: { value: 'ADDRESS', says: 'the IP address of the client' },
    },
    printsData: true,
    run: onDatabase(async () => (await import('./rules.ts')).explainRequest),
  },
  {
    name: 'migrate',
    args: [],
    says: 'updates the database tables',
    details: 'The server does the same when it starts.',
    printsData: true,
    run: onDatabase(async () => (await import('./migrate.ts')).migrate),
  },
  {
    name: 'rotate-key',
    args: [],
    says: 'rotates the master key and re-encrypts everything',
    details: 'Servers may run meanwhile. If the command was interrupted, run it again.',
    printsData: true,
    run: onDatabase(async () => (await import('./rotate-key.ts')).rotateKey),
  },
  {
    name: 'rotate-assertion-key',
    args: [],
    says: 'rotates the key that signs identities for protected applications',
    details: 'Servers sign with the new key ten minutes later, so that no application refuses an identity meanwhile.',
    options: { now: { says: 'replaces a stolen key: signs with the new one at once and removes the others' } },
    run: onDatabase(async () => (await import('./rotate-assertion-key.ts')).rotateAssertionKey),
  },
  {
    name: 'pass add',
    args: ['SERVICE'],
    says: 'creates a pass, with which a service reaches protected applications',
    details:
      'Prints the pass once. A rule must admit passes at each address. Users create passes for their own programs on the account page.',
    printsData: true,
    options: {
      to: { value: 'ADDRESSES', says: 'where it is valid, such as https://prometheus.example.com/api/*, separated by commas' },
      methods: { value: 'METHODS', says: 'such as GET,POST; every method if left out' },
      from: { value: 'NETWORKS', says: 'such as 10.0.0.0/8; from everywhere if left out' },
      days: { value: 'DAYS', says: 'how long it is valid, 1 to 365; 90 if left out' },
      name: { value: 'NAME', says: 'what the list shows; the name of the service if left out' },
    },
    run: onDatabase(async () => (await import('./passes.ts')).addPass),
  },
  {
    name: 'pass list',
    args: [],
    says: 'lists all passes of users and services',
    printsData: true,
    run: onDatabase(async () => (await import('./passes.ts')).listAllPasses),
  },
  {
    name: 'pass end',
    args: ['ID'],
    says: 'ends a pass on all servers',
    run: onDatabase(async () => (await import('./passes.ts')).endOnePass),
  },
  {
    name: 'backup',
    args: ['FILE'],
    says: 'writes the database into a new file, while servers run',
    details:
      'The file is a SQLite database, whichever database the server uses. The command opens it to check it. It contains no master key; keep that apart.',
    options: { 'with-key': { value: 'FILE', says: 'also writes the master key into a separate new file' } },
    printsData: true,
    run: async call => (await import('./backup.ts')).backup(call),
  },
  {
    name: 'restore',
    args: ['FILE'],
    says: 'puts a backup into an empty database',
    details:
      'Stop every server first. All sessions, tickets and mailed links end. If the command was interrupted, run it again: an interrupted restore leaves nothing.',
    printsData: true,
    run: async call => (await import('./restore.ts')).restore(call),
  },
  {
    name: 'import authelia',
    args: ['FILE'],
    says: "imports the users of Authelia's users_database.yml",
    details: importDetails,
    options: {
      totp: { value: 'FILE', says: 'what authelia storage user totp export wrote' },
      webauthn: { value: 'FILE', says: 'what authelia storage user webauthn export wrote' },
      domain,
      ...importOptions,
    },
    printsData: true,
    run: onDatabase(async () => (await import('./import/import.ts')).importAuthelia),
  },
  {
    name: 'import htpasswd',
    args: ['FILE'],
    says: 'imports the users of an htpasswd file of Apache or nginx',
    details: importDetails,
    options: { domain, ...importOptions },
    printsData: true,
    run: onDatabase(async () => (await import('./import/import.ts')).importHtpasswd),
  },
  {
    name: 'import csv',
    args: ['FILE'],
    says: 'imports users from a CSV file: email, password_hash, groups, totp',
    details: importDetails,
    options: importOptions,
    printsData: true,
    run: onDatabase(async () => (await import('./import/import.ts')).importCsv),
  },
  {
    name: 'export',
    args: ['FILE'],
    says: 'writes all users into a new JSON file',
    details: 'docs/exporting.md describes the format. Servers may run meanwhile.',
    options: { 'with-secrets': { says: 'also writes password hashes, authenticator secrets and the public keys of passkeys' } },
    run: onDatabase(async () => (await import('./export.ts')).exportUsers),
  },
  {
    name: 'copy-database',
    args: [],
    says: 'copies everything into another, empty database',
    details:
      'Stop every server first. The address of the new database is read from standard input, because it can contain a password: sqlite: and a path, or postgres://user:password@host/database. If the command was interrupted, run it again.',
    printsData: true,
    run: async call => (await import('./copy-database.ts')).copyDatabase(call),
  },
  {
    name: 'version',
    args: [],
    says: 'prints the version',
    printsData: true,
    run: async call => (await import('./version.ts')).printVersion(call),
  },
]
