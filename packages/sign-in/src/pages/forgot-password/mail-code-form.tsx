import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { ignoreHeldEnter } from '@gatehouse/ui/buttons/ignore-held-enter.ts'
import { codeLook } from '@gatehouse/ui/fields/code-field.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { useReducer, useRef } from 'react'
import type { PageProps } from '../page-props.ts'
import stepStyles from '../step.module.css'
import { createMailCode } from './mail-code-flow.ts'
import styles from './mail-code-form.module.css'
import { isBusy, mailCode, notEntered } from './mail-code-state.ts'

type MailCodeFormProps = Pick<PageProps, 'api' | 'messages' | 'go' | 'leave' | 'beforeCall' | 'emit' | 'onFailure'> & {
  /** Two digits. The link asks for them if it is opened in another browser. */
  number: string
  /** Whether a form without a script sent a wrong code. */
  wasWrong: boolean
}

/** The call accepts at most this many characters, including spaces and dashes. */
const maxCodeLength = 64

/** Shown after a one-time link is sent: asks for the email's code and shows the number. Looks the same for addresses without an account. */
export const MailCodeForm = ({ number, wasWrong, messages, ...area }: MailCodeFormProps) => {
  const words = messages.mailCode
  const [state, dispatch] = useReducer(mailCode, wasWrong ? { is: 'Refused', message: words.wrong } : notEntered)
  const field = useRef<HTMLInputElement>(null)
  const call = useSingleCall(dispatch, field)

  useFocusReturn(isBusy(state), () => field.current?.focus())

  const flow = createMailCode({ ...area, messages, call, dispatch })
  const signIn = (code: string) => {
    if (code === '') field.current?.focus()
    void flow.signIn(code)
  }

  return (
    <div className={styles.wait}>
      <Form className={stepStyles.fields} noValidate send={() => signIn(field.current?.value.trim() ?? '')} onKeyDown={ignoreHeldEnter}>
        <Field
          data-part="code-input"
          ref={field}
          label={words.code}
          inputClass={`${codeLook} ${styles.code}`}
          error={state.is === 'Refused' ? state.message : state.is === 'Missing' ? words.missing : undefined}
          type="text"
          name="mail-code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={maxCodeLength}
          required
          readOnly={isBusy(state)}
          onInput={() => dispatch({ type: 'edited' })}
        />
        <Button look="primary" type="submit" progress={state.is === 'Entering' ? 'running' : state.is === 'SignedIn' ? 'done' : undefined}>
          {state.is === 'Entering' ? messages.login.signingIn : state.is === 'SignedIn' ? messages.login.signedIn : messages.login.signIn}
        </Button>
        <Announced>{state.is === 'Entering' ? messages.login.signingIn : state.is === 'SignedIn' && messages.login.signedIn}</Announced>
      </Form>
      <div className={styles.number} data-part="number-panel">
        <p className={styles.caption} data-part="note">
          {words.number}
        </p>
        <p className={styles.digits} data-part="number">
          {number}
        </p>
      </div>
    </div>
  )
}
