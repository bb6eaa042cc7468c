import { useRef, useState } from 'react'
import type { MessagesAtFirst } from '../../messages/messages.ts'

/**
 * One e-mail field and what is wrong with it; uncontrolled, so that what a password manager fills in counts.
 * @param wrong whether what was sent before was no address
 */
export const useEmailField = (words: Pick<MessagesAtFirst['login'], 'emailMissing' | 'emailMalformed'>, wrong = false) => {
  const ref = useRef<HTMLInputElement>(null)
  const [error, setError] = useState(wrong ? words.emailMalformed : undefined)

  /** The address trimmed and in lower case (§5); or, when it is none, says so and puts the focus there. */
  const read = (): string | undefined => {
    if (!ref.current) return undefined
    const { valid, valueMissing } = ref.current.validity
    setError(valid ? undefined : valueMissing ? words.emailMissing : words.emailMalformed)
    if (valid) return ref.current.value.trim().toLowerCase()
    ref.current.focus()
    return undefined
  }

  /** While somebody mends the field there is nothing to say about it. */
  return { field: { ref, error, onInput: () => setError(undefined) }, read }
}
