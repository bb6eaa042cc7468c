import { useEffect, useRef, useState } from 'react'
import { EyeIcon, EyeOffIcon } from '../icons/icons.tsx'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'

type PasswordFieldProps = Omit<FieldProps, 'type' | 'trailing' | 'ref' | 'look'> & {
  ref?: { current: HTMLInputElement | null }
  /** Names of the button that shows and hides what was typed. Without them there is no such button. */
  toggle?: { show: string; hide: string }
}

/** A password, with a button to read it and a caption such as 'Optional' where they are asked for (§5). */
export const PasswordField = ({ toggle, ref, ...field }: PasswordFieldProps) => {
  const [shown, setShown] = useState(false)
  const own = useRef<HTMLInputElement>(null)
  const input = ref ?? own

  // A form sent with a readable password would let the browser offer it as ordinary text the next time.
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
          <button type="button" className={styles.toggle} aria-label={shown ? toggle.hide : toggle.show} onClick={() => setShown(!shown)}>
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        )
      }
    />
  )
}
