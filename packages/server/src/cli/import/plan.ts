import { isGroupName } from '../../forward-auth/rules/group-names.ts'
import { millisOf } from '../../passwords/old-cost.ts'
import { type OldHash, readOldHash } from '../../passwords/old-hash.ts'
import type { Account } from '../../users/users.store.ts'
import { readAddress } from './address.ts'
import { shown } from './shown.ts'
import type { BadLine, SourcePasskey, SourceTotp, SourceUser } from './source.ts'

/** What an import does with a line. `differs`: the user exists, but with values that differ from those in the file. */
export type What = 'create' | 'unchanged' | 'differs' | 'skip' | 'bad'

export type NewUser = {
  userIdent: string
  password: OldHash | undefined
  groups: readonly string[]
  isAdministrator: boolean
  /** Secrets in Base32. */
  totp: readonly string[]
  passkeys: readonly SourcePasskey[]
}

export type Plan = { line: number; name: string; address: string | undefined; what: What; notes: string[]; user?: NewUser }

export type Rules = {
  /** Completes the names of users without an address. */
  domain: string | undefined
  /** Undefined if passkeys are off. */
  rpId: string | undefined
  /** The maximum number of kinds of old hashes. */
  kindsMost: number
  /** The maximum estimated time to compute one hash of every kind, in milliseconds. */
  millisMost: number
  administrators: ReadonlySet<string>
}

const becomesAdministrator = 'becomes an administrator: GATEHOUSE_ADMINS names this address'

const inSeconds = (millis: number) => `${(millis / 1000).toFixed(1)} s`

/** 80 bits, as in many old secrets. RFC 4226 §4 requires 128 and recommends 160. */
const leastSecretBytes = 10

const totpProblem = ({ secret, algorithm, digits, period }: SourceTotp): string | undefined => {
  if (algorithm !== 'SHA1' || digits !== 6 || period !== 30) {
    return `${shown(algorithm)}, ${digits} digits and ${period} s are not supported, only SHA1, 6 digits and 30 s`
  }
  const text = secret.replace(/=+$/, '')
  return /^[A-Z2-7]+$/.test(text) && (text.length * 5) / 8 >= leastSecretBytes ? undefined : 'the secret is not Base32 of at least 80 bits'
}

const isBase64 = (text: string) => /^[A-Za-z0-9+/]+={0,2}$/.test(text)

const passkeyProblem = (passkey: SourcePasskey, { rpId }: Rules): string | undefined => {
  if (rpId === undefined) return 'passkeys are off here'
  if (passkey.rpId !== rpId) return `it is bound to ${shown(passkey.rpId) || 'no domain'}, and this server uses ${rpId}`
  if (passkey.isLegacy) return 'it was registered by an old version, so that it is not known whether its key can be copied'
  if (!passkey.isVerified) return 'it was registered without a PIN, fingerprint or face, which this server requires'
  if (!isBase64(passkey.credentialId) || !isBase64(passkey.publicKey) || !Number.isSafeInteger(passkey.counter))
    return 'its data is damaged'
  return undefined
}

/** Plans what to do with the users of a file, one after the other. Keeps the addresses of the whole file, about 100 bytes for each. */
export const createPlanner = (rules: Rules, existingKinds: readonly string[]) => {
  const lineOf = new Map<string, number>()
  const kinds = new Set(existingKinds)
  let millis = existingKinds.reduce((sum, kind) => sum + millisOf(kind), 0)

  /** @returns why the import cannot add a hash of this kind, or undefined. Each sign-in computes a hash of every kind */
  const refuseKind = (kind: string): string | undefined => {
    if (kinds.has(kind)) return undefined
    if (kinds.size >= rules.kindsMost) return `its password hash has a new kind (${kind}), and at most ${rules.kindsMost} kinds are allowed`
    if (millis + millisOf(kind) > rules.millisMost) {
      const [own, most] = [millisOf(kind), rules.millisMost].map(inSeconds)
      return `its password hash (${kind}) takes about ${own}: with the other kinds, each sign-in would take more than ${most}`
    }
    kinds.add(kind)
    millis += millisOf(kind)
    return undefined
  }

  const passwordOf = ({ hash }: SourceUser): { password?: OldHash; note?: string; problem?: string } => {
    if (hash === undefined) return { note: 'no password in the file' }
    const read = readOldHash(hash)
    if ('problem' in read) {
      // The value may be a plain-text password. Creating the user without a password would look like a success.
      if (read.problem === 'has no known format') return { problem: `the password hash ${read.problem}` }
      return { note: `without password: the hash ${read.problem}` }
    }
    const problem = refuseKind(read.kind)
    return problem === undefined ? { password: read } : { problem }
  }

  const factorsOf = (source: SourceUser, notes: string[]) => {
    const keep = <T>(all: readonly T[], what: string, problemOf: (one: T) => string | undefined): T[] =>
      all.filter(one => {
        const problem = problemOf(one)
        if (problem !== undefined) notes.push(`without ${what}: ${problem}`)
        return problem === undefined
      })
    return {
      totp: keep(source.totp, 'authenticator app', totpProblem).map(({ secret }) => secret.replace(/=+$/, '')),
      passkeys: keep(source.passkeys, 'passkey', passkey => passkeyProblem(passkey, rules)),
    }
  }

  /** Plans one line, without reading the database. */
  const read = (source: SourceUser | BadLine): Plan => {
    const { line } = source
    const name = shown(source.name)
    const base = { line, name, address: undefined, notes: [] }
    if ('problem' in source) return { ...base, what: 'bad', notes: [source.problem] }
    const found = readAddress(source, rules.domain)
    if (found.problem !== undefined) return { ...base, name: found.isShown ? name : '', what: 'bad', notes: [found.problem] }
    const { userIdent } = found
    const known = { ...base, address: userIdent }
    const before = lineOf.get(userIdent)
    if (before !== undefined) return { ...known, what: 'bad', notes: [`has the same address as line ${before}`] }
    lineOf.set(userIdent, line)
    if (source.isDisabled) return { ...known, what: 'skip', notes: ['is disabled in the file'] }
    const { password, note, problem } = passwordOf(source)
    if (problem !== undefined) return { ...known, what: 'bad', notes: [problem] }
    const isAdministrator = rules.administrators.has(userIdent)
    const notes = isAdministrator ? [becomesAdministrator] : []
    if (note !== undefined) notes.push(note)
    const groups = [...new Set(source.groups)].filter(group => {
      if (!isGroupName(group)) notes.push(`without group ${JSON.stringify(shown(group))}: the name is not allowed`)
      return isGroupName(group)
    })
    return {
      ...known,
      what: 'create',
      notes,
      user: { userIdent, password, groups: groups.sort(), isAdministrator, ...factorsOf(source, notes) },
    }
  }

  return { read, kinds: () => [...kinds] }
}

/** Compares a planned user with the existing one. An import changes no existing user. */
export const compare = (plan: Plan, account: Account): Plan => {
  const { user } = plan
  if (!user) return plan
  const differences: string[] = []
  const groups = account.userGroups.split(' ').filter(Boolean).sort()
  if (groups.join() !== user.groups.join())
    differences.push(`the groups are ${groups.join(', ') || 'none'} here and ${user.groups.join(', ') || 'none'} in the file`)
  const [salt] = account.userPasswordSalt?.split(' ') ?? []
  if (account.userPasswordKind !== null && (account.userPasswordKind !== user.password?.kind || salt !== user.password.salt))
    differences.push('the file has another password')
  const { user: _, ...rest } = plan
  return { ...rest, what: differences.length > 0 ? 'differs' : 'unchanged', notes: differences }
}
