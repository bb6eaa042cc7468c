import type { PasskeyAfterSignIn } from '@gatehouse/wire'
import { createPasskeyApi, type PasskeyApi } from '../calls/passkey-api.ts'
import type { Config } from '../config.ts'
import { hasPasskeys } from './has-passkeys.ts'
import { createPasskey } from './passkey-ceremony.ts'
import { signalPasskeys, signalUnknown } from './passkey-signals.ts'

// Loaded after a sign-in. Shows nothing, because the user is waiting for the next page.

/** The browser leaves the page after this time. A passkey that the password manager creates later would not reach the server. */
const limitMs = 1000

/** Whether the password manager may create a passkey without asking (WebAuthn Level 3, §5.1.7). The DOM library lacks the method. */
const createsWithoutAsking = async (): Promise<boolean> => {
  const { getClientCapabilities }: { getClientCapabilities?: () => Promise<Record<string, boolean>> } = PublicKeyCredential
  return (await getClientCapabilities?.call(PublicKeyCredential))?.conditionalCreate === true
}

/** Has the password manager create a passkey, where the server allows that, and adds it to the account. */
const upgrade = async ({ upgrade: options }: PasskeyAfterSignIn, calls: Pick<PasskeyApi, 'passkeyUpgrade'>, signal: AbortSignal) => {
  if (!options || !(await createsWithoutAsking())) return
  const credential = await createPasskey(options, { signal, conditional: true })
  if (typeof credential === 'string') return
  // The call gets no signal, so it outlives the page. Otherwise the password manager could hold a passkey that the server does not know.
  const reply = await calls.passkeyUpgrade({ credential })
  if (!reply.ok) signalUnknown(options.rp.id, credential.id)
}

/**
 * Brings the password manager up to date after a sign-in, and lets it create a passkey where the server allows that. Never rejects.
 * @param signal aborts what the browser has not finished
 */
export const tidyPasskeys = async (
  passkeys: PasskeyAfterSignIn,
  config: Pick<Config, 'baseUrl'>,
  signal: AbortSignal,
  calls: Pick<PasskeyApi, 'passkeyUpgrade'> = createPasskeyApi(config),
): Promise<void> => {
  if (!hasPasskeys() || signal.aborted) return
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  await Promise.allSettled([signalPasskeys(passkeys.signals), upgrade(passkeys, calls, limit)])
}
