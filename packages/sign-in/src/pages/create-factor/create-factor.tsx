import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useId, useReducer, useRef } from 'react'
import type { Messages } from '../../messages/messages.ts'
import { isPush } from '../../next-after-factor.ts'
import { formResultMessage } from '../factor-error.ts'
import { handleFactorReply } from '../factor-reply.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { isBusy, notSkipped, type Skip, skip } from './create-factor-state.ts'
import { FactorBinding } from './factor-binding.tsx'

type CreateFactorPageProps = PageProps & { page: Extract<SignInPage, { at: 'create-factor' }> }

export const CreateFactorPage = ({ page, ...area }: CreateFactorPageProps) => {
  const { credentials, factor, skipRefused } = page
  const { api, messages, go, formAction, formResult, beforeCall } = area
  const words = messages.createFactor
  const message = formResultMessage(formResult, messages)
  const [state, dispatch] = useReducer(skip, message === undefined ? notSkipped : { is: 'NotLoggedInWithError', message })
  const skipButton = useRef<HTMLButtonElement>(null)
  const noteId = useId()
  const call = useSingleCall(dispatch)
  const binding = factor.factorBinding?.tag === 'TOTPBinding' ? factor.factorBinding.contents : undefined
  const isOnDevice = isPush(factor)

  useFocusReturn(isBusy(state), () => skipButton.current?.focus())

  const skipFactor = async () => {
    if (call.isRunning()) return
    const signal = call.begin()
    beforeCall()
    dispatch({ type: 'skipped' })
    // A call without a code is a skip.
    const otp = { otpUsername: credentials.username, otpPassword: credentials.password, otpFactorUUID: factor.factorUUID }
    await handleFactorReply(await api.setupOTP(otp, signal), signal, { ...area, call, dispatch })
  }

  const next = (
    <Button
      look="primary"
      to={formAction(plainPages.firstCode)}
      disabled={state.is === 'LoggedIn'}
      onClick={() => go({ ...page, at: 'verify-factor', firstSetup: true })}
    >
      {words.next}
    </Button>
  )

  return (
    <>
      <Title focused>{words.title}</Title>
      {binding ? (
        <>
          <Text>{words.text}</Text>
          <FactorBinding uri={binding.factorTOTPBindingURI} secret={binding.factorTOTPBindingSecret} messages={messages} />
        </>
      ) : isOnDevice ? (
        <Text>{words.textOnDevice(factor.factorFriendlyName)}</Text>
      ) : (
        <ErrorPanel title={messages.unexpected.title} message={words.nothingToScan} />
      )}
      <Banner>{state.is === 'NotLoggedInWithError' && state.message}</Banner>
      {isOnDevice ? <div className={styles.form}>{next}</div> : binding && next}
      {skipRefused ? (
        <div className={styles.skip}>
          <p className={styles.note}>{words.skipRefused[skipRefused]}</p>
        </div>
      ) : (
        <Form className={styles.skip} send={() => void skipFactor()}>
          <Button
            ref={skipButton}
            type="submit"
            progress={state.is === 'Skipping' ? 'running' : state.is === 'LoggedIn' ? 'done' : undefined}
            aria-describedby={noteId}
          >
            {label(state, words)}
          </Button>
          <p className={styles.note} id={noteId}>
            {words.skipNote}
          </p>
        </Form>
      )}
      <Announced>{isBusy(state) && label(state, words)}</Announced>
      <div className={styles.other}>
        <LinkButton
          to={formAction(plainPages.login)}
          disabled={state.is === 'LoggedIn'}
          onClick={() => go({ at: 'login', email: credentials.username })}
        >
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

const label = (state: Skip, words: Messages['createFactor']) => {
  switch (state.is) {
    case 'NotLoggedIn':
    case 'NotLoggedInWithError':
      return words.skip
    case 'Skipping':
      return words.skipping
    case 'LoggedIn':
      return words.skipped
  }
}
