import { useEffect, useRef } from 'react'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import type { ChosenPasskey, PasskeyPage } from '../../passkeys/passkey-sign-in.ts'
import { offerPasskeys } from './offer-passkeys.ts'

/**
 * Offers passkeys in the autofill of the email field, while the login page is idle.
 * @param page undefined where passkeys are off
 * @param onChosen called with the passkey that the user chose
 */
export const usePasskeyOffer = (page: PasskeyPage | undefined, isBusy: boolean, onChosen: (chosen: ChosenPasskey) => void) => {
  const latest = useRef({ page, onChosen })
  useEffect(() => {
    latest.current = { page, onChosen }
  })
  const isOn = page !== undefined
  useEffect(() => {
    if (!isOn || isBusy || !hasPasskeys()) return
    return offerPasskeys(
      () => latest.current.page,
      chosen => latest.current.onChosen(chosen),
    )
  }, [isOn, isBusy])
}
