import { useEffect, useRef, useState } from 'react'
import { EyeIcon, EyeOffIcon } from '../icons/icons.tsx'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'

type PasswordFieldProps = Omit<FieldProps, 'type' | 'trailing' | 'ref' | 'look'> & {
  ref?: { current: HTMLInputElement | null }
  /** Labels of the button that shows and hides the password. Without them, the field has no such button. */
  toggle?: { show: string; hide: string }
}

/** A password field with an optional button that reveals the password, and an optional caption (§5). */
export const PasswordField = ({ toggle, ref, ...field }: PasswordFieldProps) => {
  const [shown, setShown] = useState(false)
  const own = useRef<HTMLInputElement>(null)
  const input = ref ?? own

  // Hide the password before the form is sent: otherwise the browser may remember it as ordinary text and suggest it.
  useEffect(() => {
    const form = input.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [input])

  return (
    <Field
      {...field}
      ref={input}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        toggle && (
          <button
            type="button"
            className={styles.toggle}
            data-part="password-toggle"
            aria-label={shown ? toggle.hide : toggle.show}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        )
      }
    />
  )
}
