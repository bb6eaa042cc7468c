import type { Credentials } from '@gatehouse/wire/page-props'
import { useRef, useState } from 'react'
import type { FirstLoadMessages } from '../../messages/messages.ts'
import { useEmailField } from './use-email-field.ts'

/**
 * The fields of the login page and their errors. Uncontrolled, so they also read what a password manager filled in or the user
 * typed before the script loaded.
 */
export const useLoginFields = (words: FirstLoadMessages['login']) => {
  const email = useEmailField(words)
  const password = useRef<HTMLInputElement>(null)
  const [passwordError, setPasswordError] = useState<string>()

  /** Returns the credentials to send (§5). If something is missing, shows the error and focuses the field. */
  const read = (): Credentials | undefined => {
    if (!password.current) return undefined
    const username = email.read()
    const { valid } = password.current.validity
    setPasswordError(valid ? undefined : words.passwordMissing)
    if (username === undefined) return undefined
    if (valid) return { username, password: password.current.value }
    password.current.focus()
    return undefined
  }

  return {
    email: email.field,
    password: { ref: password, error: passwordError, onInput: () => setPasswordError(undefined) },
    read,
  }
}
