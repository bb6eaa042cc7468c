import { type Config, createCalls, type Reply } from '@gatehouse/sign-in'
import { createPasskey, getPasskey, hasPasskeys, type NoPasskey } from '@gatehouse/sign-in/passkeys'
import { type PasskeyAdded, type PasskeySignals, passkeyRoutes } from '@gatehouse/wire'

/** The Signal API of WebAuthn Level 3 (§5.1.10), which is newer than the DOM library and which not every browser has. */
type SignalApi = {
  signalAllAcceptedCredentials?: (options: Pick<PasskeySignals, 'rpId' | 'userId' | 'allAcceptedCredentialIds'>) => Promise<void>
  signalCurrentUserDetails?: (options: Pick<PasskeySignals, 'rpId' | 'userId' | 'name' | 'displayName'>) => Promise<void>
}

/** Tells the password manager which passkeys exist, and the user's name, so that it offers no others. */
const tellPasswordManager = async ({ rpId, userId, name, displayName, allAcceptedCredentialIds }: PasskeySignals) => {
  const signals: SignalApi = PublicKeyCredential
  // A password manager may refuse. Nothing depends on it.
  await Promise.allSettled([
    signals.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }),
    signals.signalCurrentUserDetails?.({ rpId, userId, name, displayName }),
  ])
}

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
    if (reply.ok) await tellPasswordManager(reply.value.signals)
    return reply
  }

  /** Reauthenticates by passkey. The session gets a new cookie. */
  const confirm = async (signal: AbortSignal): Promise<Reply<void> | NoPasskey> => {
    const options = await post(passkeyOptions.path, { purpose: 'Reauthentication' }, passkeyOptions.response, signal)
    if (!options.ok) return options
    const credential = await getPasskey(options.value, { signal })
    return typeof credential === 'string' ? credential : postVoid(passkeyConfirm.path, { credential }, signal)
  }

  /** Brings the password manager up to date, after a removal or a change of address. */
  const tidy = async () => {
    if (!isSupported()) return
    const reply = await post(passkeySignals.path, {}, passkeySignals.response)
    if (reply.ok) await tellPasswordManager(reply.value)
  }

  return { isSupported, add, confirm, tidy }
}

/** This access. Tests pass their own, and the server renders without it. */
export type PasskeyAccess = ReturnType<typeof createPasskeyAccess>
