import { type Config, createCalls, type Reply } from '@gatehouse/sign-in'
import { createPasskey, getPasskey, hasPasskeys, type NoPasskey, signalPasskeys } from '@gatehouse/sign-in/passkeys'
import { type PasskeyAdded, type PasskeyAssertion, passkeyRoutes } from '@gatehouse/wire'

/** The account page's functions for passkeys. Their promises never reject. */
export const createPasskeyAccess = (config: Pick<Config, 'baseUrl'>) => {
  const { post, postVoid } = createCalls(config)
  const { passkeyAdd, passkeyAddOptions, passkeyConfirm, passkeyOptions, passkeySignals } = passkeyRoutes

  /** Whether this browser can use passkeys on this page. */
  const isSupported = hasPasskeys

  /** Creates a passkey in this browser and adds it to the account. */
  const add = async (signal: AbortSignal): Promise<Reply<PasskeyAdded> | NoPasskey> => {
    const options = await post(passkeyAddOptions.path, {}, passkeyAddOptions.response, signal)
    if (!options.ok) return options
    const credential = await createPasskey(options.value, { signal })
    if (typeof credential === 'string') return credential
    const reply = await post(passkeyAdd.path, { credential }, passkeyAdd.response, signal)
    if (reply.ok) await signalPasskeys(reply.value.signals)
    return reply
  }

  /** Asks the user for a passkey, for one call that accepts it instead of the password. */
  const prove = async (signal: AbortSignal): Promise<Reply<PasskeyAssertion> | NoPasskey> => {
    const options = await post(passkeyOptions.path, { purpose: 'Reauthentication' }, passkeyOptions.response, signal)
    if (!options.ok) return options
    const credential = await getPasskey(options.value, { signal })
    return typeof credential === 'string' ? credential : { ok: true, value: credential }
  }

  /** Reauthenticates by passkey. The session gets a new cookie. */
  const confirm = async (signal: AbortSignal): Promise<Reply<void> | NoPasskey> => {
    const proved = await prove(signal)
    if (typeof proved === 'string' || !proved.ok) return proved
    return postVoid(passkeyConfirm.path, { credential: proved.value }, signal)
  }

  /** Brings the password manager up to date, after a removal or a change of address. */
  const tidy = async () => {
    if (!isSupported()) return
    const reply = await post(passkeySignals.path, {}, passkeySignals.response)
    if (reply.ok) await signalPasskeys(reply.value)
  }

  return { isSupported, add, prove, confirm, tidy }
}

/** The functions of {@link createPasskeyAccess}. Tests pass their own, and the server renders without them. */
export type PasskeyAccess = ReturnType<typeof createPasskeyAccess>
