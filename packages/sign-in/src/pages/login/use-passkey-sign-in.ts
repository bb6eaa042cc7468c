import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { useEffect, useRef } from 'react'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import type { ChosenPasskey, PasskeyPage } from '../../passkeys/passkey-sign-in.ts'
import { loadPasskeySignIn } from './login-flow.ts'

/** By then, the page is usable. */
const idleMs = 500

/**
 * Passkeys on the login page: offers them in the autofill of the email field while the page is idle.
 * @param page undefined where passkeys are off
 * @param onChosen called with the passkey that the user chose in the autofill
 */
export const usePasskeySignIn = (page: PasskeyPage | undefined, isBusy: boolean, onChosen: (chosen: ChosenPasskey) => void) => {
  const isHydrated = useHydrated()
  const isOffered = page !== undefined && (!isHydrated || hasPasskeys())
  const latest = useRef({ page, onChosen })
  useEffect(() => {
    latest.current = { page, onChosen }
  })
  useEffect(() => {
    if (!isOffered || isBusy) return
    const stop = new AbortController()
    const offer = async () => {
      const { choosePasskeyInAutofill } = await loadPasskeySignIn()
      const chosen = latest.current.page && (await choosePasskeyInAutofill(latest.current.page, stop.signal))
      if (chosen && !stop.signal.aborted) latest.current.onChosen(chosen)
    }
    // Without its code, the button still reports what is wrong.
    const soon = setTimeout(() => offer().catch(() => {}), idleMs)
    return () => {
      clearTimeout(soon)
      stop.abort()
    }
  }, [isOffered, isBusy])
  return { isOffered, isHydrated }
}
