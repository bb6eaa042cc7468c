import { useRef, useState } from 'react'
import type { MessagesAtFirst } from '../messages/messages.ts'
import type { Credentials } from '../next.ts'

/**
 * The two fields of the login page and what is wrong with them. They are uncontrolled: what a password manager filled
 * in, or what was typed before the scripts were there, counts.
 */
export const useLoginFields = (words: MessagesAtFirst['login']) => {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<{ email?: string | undefined; password?: string | undefined }>({})

  /** What is to be sent (§5); or, when something is missing, says so and puts the focus there. */
  const read = (): Credentials | undefined => {
    if (!email.current || !password.current) return undefined
    const address = email.current.validity
    const wrong = {
      email: address.valid ? undefined : address.valueMissing ? words.emailMissing : words.emailMalformed,
      password: password.current.validity.valid ? undefined : words.passwordMissing,
    }
    setErrors(wrong)
    if (wrong.email || wrong.password) {
      const first = wrong.email ? email.current : password.current
      first.focus()
      return undefined
    }
    return { username: email.current.value.trim().toLowerCase(), password: password.current.value }
  }

  /** While somebody mends a field there is nothing to say about it. */
  const clear = (field: 'email' | 'password') => () => setErrors(now => (now[field] ? { ...now, [field]: undefined } : now))

  return {
    email: { ref: email, error: errors.email, onInput: clear('email') },
    password: { ref: password, error: errors.password, onInput: clear('password') },
    read,
  }
}
