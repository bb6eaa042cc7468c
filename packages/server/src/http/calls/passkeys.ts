import { passkeyRoutes } from '@gatehouse/wire'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OwnPasskeys, PasskeyRefusal } from '../../account/passkeys.ts'
import type { PasskeySignIn } from '../../sign-in/passkey-sign-in.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import { callerBy, notSignedIn, secondFactorNeeded } from './account-caller.ts'
import { staleSession } from './stale-session.ts'

/** Adds the calls for passkeys. */
export const addPasskeyCalls = (
  app: FastifyInstance,
  deps: {
    caller: Caller
    rates: Rates
    attempts: SignInAttempts
    passkeySignIn: PasskeySignIn
    ownPasskeys: OwnPasskeys
  },
) => {
  const { caller, rates, attempts, passkeySignIn, ownPasskeys } = deps
  const who = callerBy(deps)
  /** Every page that calls here handles passkeys. */
  const visitor = ({ request }: Call) => caller.visitor(request, { passkeys: true })
  const signInVisitor = (call: Call) => attempts.visitor(call, { passkeys: true })

  const refusal = (why: PasskeyRefusal): Refused => {
    switch (why) {
      case 'not-signed-in':
        return notSignedIn()
      case 'stale':
        return staleSession()
      case 'lower':
        return secondFactorNeeded()
      case 'off':
        return passkeysAreOff()
      case 'refused':
        return new Refused(403, 'credential: was refused, or took too long', 'PasskeyRefused')
      case 'taken':
        return new Refused(409, 'credential: belongs to another factor')
      case 'too-many':
        return new Refused(409, 'factor: the maximum number has been reached', 'FactorsFull')
    }
  }
  const bound = <Options>(reply: FastifyReply, { options, binding }: { options: Options; binding: string }): Options => {
    caller.setCookie(reply, 'passkey', binding)
    return options
  }

  bind(app, passkeyRoutes.passkeyOptions, async (asked, call) => {
    await rates.count('polls', call.request.ip)
    const made = passkeySignIn.options(asked, visitor(call))
    if (!made) throw passkeysAreOff()
    return bound(call.reply, made)
  })
  bind(app, passkeyRoutes.passkeySignIn, async ({ credential }, call) => {
    await rates.count('signIn', call.request.ip)
    return attempts.answer('passkeySignIn', await passkeySignIn.withPasskey(credential, signInVisitor(call)), call)
  })
  bind(app, passkeyRoutes.passkeyVerify, async (verify, call) => {
    await attempts.count(call, verify.otpUsername)
    return attempts.answer('passkeyVerify', await passkeySignIn.verify(verify, signInVisitor(call)), call)
  })
  bind(app, passkeyRoutes.passkeySetUp, async (setUp, call) => {
    await attempts.count(call, setUp.otpUsername)
    return attempts.answer('passkeySetUp', await passkeySignIn.setUp(setUp, signInVisitor(call)), call)
  })

  bind(app, passkeyRoutes.passkeyConfirm, async ({ credential }, call) => {
    const confirmed = await ownPasskeys.confirm(credential, ...(await who(call, 'signIn')))
    if (typeof confirmed === 'string') throw refusal(confirmed)
    caller.setCookie(call.reply, 'session', confirmed.session)
    return {}
  })
  bind(app, passkeyRoutes.passkeyAddOptions, async (_, call) => {
    const made = await ownPasskeys.addOptions(...(await who(call)))
    if (typeof made === 'string') throw refusal(made)
    return bound(call.reply, made)
  })
  bind(app, passkeyRoutes.passkeyAdd, async ({ credential }, call) => {
    const added = await ownPasskeys.add(credential, ...(await who(call)))
    if (typeof added === 'string') throw refusal(added)
    caller.setCookie(call.reply, 'session', added.session)
    return added.added
  })
  bind(app, passkeyRoutes.passkeyUpgrade, async ({ credential }, call) => {
    const added = await ownPasskeys.upgrade(credential, ...(await who(call)))
    if (typeof added === 'string') throw refusal(added)
    return added.added
  })
  bind(app, passkeyRoutes.passkeySignals, async (_, call) => {
    const [session] = await who(call)
    const signals = await ownPasskeys.signals(session)
    if (typeof signals === 'string') throw refusal(signals)
    return signals
  })
}

const passkeysAreOff = () => new Refused(404, 'passkeys: are not available on this server')
