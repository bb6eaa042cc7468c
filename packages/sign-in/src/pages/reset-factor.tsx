import { routes } from '@gatehouse/wire'
import { useReducer, useRef } from 'react'
import { explained, type Page } from '../next.ts'
import { afterReset } from '../next-of-factor.ts'
import { Announced } from '../ui/announced.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Text, Title } from '../ui/statement.tsx'
import { factorError } from './factor-error.ts'
import type { PageProps } from './page-props.ts'
import { notSent, reset } from './reset-factor-state.ts'
import styles from './step.module.css'
import { useFocusReturn } from './use-focus-return.ts'
import { useOneCall } from './use-one-call.ts'

type ResetFactorPageProps = PageProps & { page: Extract<Page, { at: 'reset-factor' }> }

export const ResetFactorPage = ({ page: { credentials }, api, messages, go, onTry, onFailure, notify }: ResetFactorPageProps) => {
  const words = messages.resetFactor
  const [state, dispatch] = useReducer(reset, notSent)
  const sending = state.is === 'Sending'
  const button = useRef<HTMLButtonElement>(null)
  const call = useOneCall(dispatch)

  useFocusReturn(sending, () => button.current?.focus())

  const send = async () => {
    if (call.isRunning()) return
    const signal = call.begin()
    onTry()
    dispatch({ type: 'submitted' })
    const reply = explained(await api.resetOTP({ otpUsername: credentials.username, otpPassword: credentials.password }, signal))
    if (signal.aborted) return
    call.end()
    dispatch({ type: 'stayed' })
    if (!reply.ok) return onFailure(reply.failure)
    const step = afterReset(reply.value, credentials)
    if ('go' in step) go(step.go)
    else if ('explain' in step) notify(factorError(step.explain, messages.verifyErrors).toast)
    else if ('show' in step) notify({ kind: 'error', id: 'reset-factor', title: messages.failures[step.show] })
    else
      onFailure({
        is: 'refused',
        message: messages.unexpected.title,
        detail: `${routes.resetOTP.method} ${routes.resetOTP.path} answered ${step.puzzle}`,
      })
  }

  return (
    <>
      <Title focused>{words.title}</Title>
      <Text>{words.text}</Text>
      <form
        className={styles.form}
        method="post"
        onSubmit={event => {
          event.preventDefault()
          void send()
        }}
      >
        <Button ref={button} look="primary" type="submit" progress={sending ? 'running' : undefined}>
          {sending ? words.sending : words.send}
        </Button>
        <Announced>{sending && words.sending}</Announced>
      </form>
      <div className={styles.other}>
        <LinkButton onClick={() => go({ at: 'login', email: credentials.username })}>{messages.backToLogin}</LinkButton>
      </div>
    </>
  )
}
