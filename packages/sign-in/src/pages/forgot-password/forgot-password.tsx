import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { ignoreHeldEnter } from '@gatehouse/ui/buttons/ignore-held-enter.ts'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useId, useReducer, useRef } from 'react'
import { useEmailField } from '../login/use-email-field.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { createForgotPassword } from './forgot-password-flow.ts'
import { forgot, isSending, notSend } from './forgot-password-state.ts'
import { MailCodeForm } from './mail-code-form.tsx'
import { SentView } from './sent-view.tsx'
import { useResendWait } from './use-resend-wait.ts'

type ForgotPasswordPageProps = Pick<
  PageProps,
  'api' | 'messages' | 'go' | 'leave' | 'formAction' | 'formResult' | 'beforeCall' | 'emit' | 'onFailure' | 'logFailure'
> & {
  page: Extract<SignInPage, { at: 'forgot-password' }>
}

export const ForgotPasswordPage = ({
  page,
  api,
  messages,
  go,
  leave,
  formAction,
  formResult,
  beforeCall,
  emit,
  onFailure,
  logFailure,
}: ForgotPasswordPageProps) => {
  const words = messages.forgotPassword
  const [state, dispatch] = useReducer(
    forgot,
    formResult && 'sent' in formResult
      ? {
          is: 'Sent',
          message: formResult.sent === 'reset-email' ? words.resetEmailSent : words.magicLinkSent,
          number: formResult.number,
          wrongCode: formResult.wrongCode,
        }
      : notSend,
  )
  const email = useEmailField(messages.login, formResult && 'wrong' in formResult)
  const pressed = useRef<HTMLButtonElement | null>(null)
  const resetEmailButton = useRef<HTMLButtonElement>(null)
  const magicLinkButton = useRef<HTMLButtonElement>(null)
  const sentHeading = useRef<HTMLHeadingElement>(null)
  const noteId = useId()
  const waitId = useId()
  const call = useSingleCall(dispatch)
  const wait = useResendWait()
  const isWaiting = wait.left > 0

  useFocusReturn(isSending(state), () => (sentHeading.current ?? pressed.current)?.focus())

  const { sendResetEmail, sendMagicLink } = createForgotPassword({
    api,
    words,
    call,
    dispatch,
    beforeCall,
    emit,
    logFailure,
    waitToResend: wait.begin,
  })

  const isLinkOnly = page.only === 'link'

  const start = (sendTo: (address: string) => Promise<void>, button: HTMLButtonElement | null) => {
    if (call.isRunning() || isWaiting) return
    const address = email.read()
    if (address === undefined) return
    pressed.current = button
    void sendTo(address)
  }

  return (
    <>
      {state.is !== 'Sent' && (
        <>
          <Title>{isLinkOnly ? words.linkTitle : words.title}</Title>
          <Text>{isLinkOnly ? words.linkText : words.text}</Text>
        </>
      )}
      <SentView
        words={words}
        message={state.is === 'Sent' ? state.message : undefined}
        address={state.is === 'Sent' ? state.address : undefined}
        heading={sentHeading}
      />
      {state.is === 'Sent' && state.number !== undefined && (
        <MailCodeForm
          number={state.number}
          wasWrong={state.wrongCode === true}
          api={api}
          messages={messages}
          go={go}
          leave={leave}
          beforeCall={beforeCall}
          emit={emit}
          onFailure={onFailure}
        />
      )}
      <Form
        className={`${styles.form} ${state.is === 'Sent' ? styles.resend : ''}`}
        noValidate
        send={() => (isLinkOnly ? start(sendMagicLink, magicLinkButton.current) : start(sendResetEmail, resetEmailButton.current))}
        onKeyDown={ignoreHeldEnter}
      >
        {state.is === 'Sent' && (
          <p className={styles.again} data-part="note" id={waitId}>
            <span className={isWaiting ? styles.line : styles.room}>{words.sendAgainIn(wait.left)}</span>
            <span className={isWaiting ? styles.room : styles.line}>{words.sendAgain}</span>
          </p>
        )}
        <div className={styles.fields}>
          <Field
            {...email.field}
            onInput={event => {
              email.field.onInput()
              wait.edit(event.currentTarget.value.trim().toLowerCase())
            }}
            label={messages.login.email}
            type="email"
            name="username"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            autoFocus
            required
            defaultValue={page.email}
            disabled={isSending(state)}
          />
          {!isLinkOnly && (
            <Button
              ref={resetEmailButton}
              look={state.is === 'Sent' ? 'outline' : 'primary'}
              type="submit"
              progress={state.is === 'SendingResetEmail' ? 'running' : undefined}
              disabled={isSending(state)}
              aria-disabled={isWaiting || undefined}
              aria-describedby={isWaiting ? waitId : undefined}
            >
              {words.sendResetEmail}
            </Button>
          )}
        </div>
        <div className={styles.skip}>
          <Button
            ref={magicLinkButton}
            look={isLinkOnly && state.is !== 'Sent' ? 'primary' : 'outline'}
            // Enter presses the first button; this is the second. Without a script, its name tells the server which one was pressed.
            type="submit"
            name="one-time-link"
            value="yes"
            progress={state.is === 'SendingMagicLink' ? 'running' : undefined}
            disabled={isSending(state)}
            aria-disabled={isWaiting || undefined}
            aria-describedby={isWaiting ? `${noteId} ${waitId}` : noteId}
            onClick={event => {
              event.preventDefault()
              start(sendMagicLink, magicLinkButton.current)
            }}
          >
            {words.sendMagicLink}
          </Button>
          <p className={styles.note} data-part="note" id={noteId}>
            {words.magicLinkNote}
          </p>
        </div>
        <Announced>{isSending(state) && messages.resetFactor.sending}</Announced>
      </Form>
      <div className={styles.other}>
        <LinkButton to={formAction(plainPages.login)} onClick={() => go({ at: 'login', email: email.field.ref.current?.value ?? '' })}>
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}
