import { useRef, useState } from 'react'
import type { FirstLoadMessages } from '../../messages/messages.ts'
import { usernameOf } from './username.ts'

/**
 * An email field and its error. Uncontrolled, so it also reads what a password manager fills in.
 * @param wrong whether the server refused the address of a form that was sent without a script
 */
export const useEmailField = (words: Pick<FirstLoadMessages['login'], 'emailMissing' | 'emailMalformed'>, wrong = false) => {
  const ref = useRef<HTMLInputElement>(null)
  const [error, setError] = useState(wrong ? words.emailMalformed : undefined)

  /** Returns the address, trimmed and in lower case (§5). If it is not an address, shows the error and focuses the field. */
  const read = (): string | undefined => {
    if (!ref.current) return undefined
    const { valid, valueMissing } = ref.current.validity
    setError(valid ? undefined : valueMissing ? words.emailMissing : words.emailMalformed)
    if (valid) return usernameOf(ref.current.value)
    ref.current.focus()
    return undefined
  }

  // Editing the field removes its error.
  return { field: { ref, error, onInput: () => setError(undefined) }, read }
}
