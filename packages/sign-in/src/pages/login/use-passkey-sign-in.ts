import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { useEffect, useRef } from 'react'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import type { ChosenPasskey, PasskeyPage } from '../../passkeys/passkey-sign-in.ts'
import { offerPasskeys } from './offer-passkeys.ts'

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
    return offerPasskeys(
      () => latest.current.page,
      chosen => latest.current.onChosen(chosen),
    )
  }, [isOffered, isBusy])
  return { isOffered, isHydrated }
}
