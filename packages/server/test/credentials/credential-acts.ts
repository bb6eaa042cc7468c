import { type Attacker, makeAttacker } from './credential-attacker.ts'
import { type Holding, type Installation, makeVictim } from './credential-victim.ts'

/** The rows of docs/security.md: how to attempt each act, and which credential changes if it succeeds. */
export const acts = {
  'Sign in': { attempt: attacker => attacker.signIn() },
  'Set up a factor as if it were the first one, or skip it': { attempt: attacker => attacker.setUpOrSkip() },
  'Replace the second factor by email': { attempt: attacker => attacker.replaceFactor(), shows: 'factors' },
  'Add a second factor': { attempt: attacker => attacker.addFactor(), shows: 'factors' },
  'Remove the second factor': { attempt: attacker => attacker.removeFactor(), shows: 'factors' },
  'Add a passkey': { attempt: attacker => attacker.addOwnPasskey(), shows: 'passkeys' },
  'Remove a passkey': { attempt: attacker => attacker.removePasskey(), shows: 'passkeys' },
  'Make new recovery codes': { attempt: attacker => attacker.makeRecoveryCodes(), shows: 'made' },
  'Create a pass for a program': { attempt: attacker => attacker.createPass(), shows: 'passes' },
  'Set a new password': { attempt: attacker => attacker.changePassword(), shows: 'userPassword' },
  'Change the address': { attempt: attacker => attacker.changeAddress(), shows: 'userIdent' },
  'Link a provider': { attempt: attacker => attacker.linkProvider(), shows: 'userPakId' },
  'Unlink a provider': { attempt: attacker => attacker.unlinkProvider(), shows: 'userGoogleId' },
} as const satisfies Record<string, { attempt: (attacker: Attacker) => Promise<unknown>; shows?: keyof Credentials }>
export type ActName = keyof typeof acts

type Credentials = Awaited<ReturnType<typeof readCredentials>>

const readCredentials = async ({ server: { db } }: Installation, factorUUID: string, username: string, userId?: string) => {
  const of = db.selectFrom('users').select(['userId', 'userIdent', 'userPassword', 'userGoogleId', 'userPakId'])
  const user = await (userId === undefined
    ? of.where('userIdent', '=', username)
    : of.where('userId', '=', userId)
  ).executeTakeFirstOrThrow()
  const verified = db.selectFrom('factors').select('factorUUID').where('factorStatus', '=', 'Verified')
  const factors = (await verified.where('factorIdentity', '=', user.userId).execute()).map(row => row.factorUUID)
  const own = await db.selectFrom('passkeys').select('passkeyFactor').where('passkeyUser', '=', user.userId).execute()
  const made = await db.selectFrom('recovery_codes').select('recoveryCodeCreated').where('recoveryCodeUser', '=', user.userId).execute()
  const passes = await db.selectFrom('passes').select('passSelector').where('passUser', '=', user.userId).execute()
  return {
    ...user,
    passes: passes.length,
    factors: [factors.includes(factorUUID), factors.length - own.length].join(),
    passkeys: own.map(row => row.passkeyFactor).join(),
    made: Math.max(...made.map(row => Number(row.recoveryCodeCreated))),
  }
}

/** Which acts succeed with these holdings. After an act that changed something, the next one gets a new victim. */
export const tryEverything = async (installation: Installation, held: ReadonlySet<Holding>): Promise<ReadonlySet<ActName>> => {
  const succeeded = new Set<ActName>()
  const begin = async () => {
    const victim = await makeVictim(installation, held)
    const credentials = await readCredentials(installation, victim.factorUUID, victim.username)
    return { victim, credentials, attacker: makeAttacker(installation, victim, held) }
  }
  let at = await begin()
  for (const name of Object.keys(acts) as ActName[]) {
    const { victim, credentials: before, attacker } = at
    // Give new rows a later time than existing ones.
    installation.server.clock.advance(1)
    const act: { attempt: (attacker: Attacker) => Promise<unknown>; shows?: keyof Credentials } = acts[name]
    const came = await act.attempt(attacker)
    const after = await readCredentials(installation, victim.factorUUID, victim.username, before.userId)
    const done = act.shows === undefined ? came === true : before[act.shows] !== after[act.shows]
    if (done) succeeded.add(name)
    if (done || JSON.stringify(before) !== JSON.stringify(after)) at = await begin()
  }
  return succeeded
}
