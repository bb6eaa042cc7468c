import type { Credentials } from '@gatehouse/wire/page-props'
import { useRef, useState } from 'react'
import type { MessagesAtFirst } from '../../messages/messages.ts'
import { useEmailField } from './use-email-field.ts'

/**
 * The two fields of the login page and what is wrong with them. They are uncontrolled: what a password manager filled
 * in, or what was typed before the scripts were there, counts.
 */
export const useLoginFields = (words: MessagesAtFirst['login']) => {
  const email = useEmailField(words)
  const password = useRef<HTMLInputElement>(null)
  const [passwordError, setPasswordError] = useState<string>()

  /** What is to be sent (§5); or, when something is missing, says so and puts the focus there. */
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
