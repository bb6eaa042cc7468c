import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useReducer, useRef } from 'react'
import { formResultMessage } from '../factor-error.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { createFactorReset } from './reset-factor-flow.ts'
import { notSent, reset } from './reset-factor-state.ts'

type ResetFactorPageProps = PageProps & { page: Extract<SignInPage, { at: 'reset-factor' }> }

export const ResetFactorPage = ({ page, ...area }: ResetFactorPageProps) => {
  const { messages, go, formAction, formResult } = area
  const words = messages.resetFactor
  const [state, dispatch] = useReducer(reset, notSent)
  const sending = state.is === 'Sending'
  const button = useRef<HTMLButtonElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const call = useSingleCall(dispatch)

  useFocusReturn(sending, () => button.current?.focus())

  const { send } = createFactorReset({ ...area, credentials: page.credentials, call, dispatch })

  return (
    <>
      <Title focused>{words.title}</Title>
      <Text>{words.text}</Text>
      {page.credentials.username === '' ? (
        // Users who came through a one-time link or a provider may not have a password.
        <Text>{words.noPassword}</Text>
      ) : (
        <p className={styles.address} data-part="text">
          {words.to(page.credentials.username)}
        </p>
      )}
      <Form className={styles.form} send={() => void send(password.current?.value)}>
        {/* Without a script there are no toasts. */}
        <Banner>{state.is === 'Held' ? words.held : formResultMessage(formResult, messages)}</Banner>
        <div className={styles.fields}>
          {/* A ticket is not enough: an attacker with access to the mailbox gets one from an emailed link. */}
          {page.credentials.password === '' && (
            <PasswordField
              ref={password}
              label={messages.login.password}
              name="password"
              autoComplete="current-password"
              toggle={messages.passwordField}
              readOnly={sending}
              autoFocus={formResult !== undefined}
              required
            />
          )}
          <Button ref={button} look="primary" type="submit" progress={sending ? 'running' : undefined}>
            {sending ? words.sending : words.send}
          </Button>
        </div>
        <Announced>{sending && words.sending}</Announced>
      </Form>
      <div className={styles.other}>
        {(state.is === 'Held' || page.credentials.username === '') && (
          <LinkButton to={formAction(plainPages.recoveryCode)} onClick={() => go({ at: 'recovery-code', credentials: page.credentials })}>
            {messages.verifyFactor.useRecoveryCode}
          </LinkButton>
        )}
        <LinkButton to={formAction(plainPages.login)} onClick={() => go({ at: 'login', email: page.credentials.username })}>
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}
