import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { type PushStatus, plainPages } from '@gatehouse/wire'
import type { ApprovalRequest, SignInPage } from '@gatehouse/wire/page-props'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { createPushApi } from '../../calls/push-api.ts'
import type { Config } from '../../config.ts'
import type { Messages } from '../../messages/messages.ts'
import { explained } from '../../next.ts'
import { factorError, saidOfFactor } from '../factor-error.ts'
import { takeFactorAnswer } from '../factor-reply.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { type Approval, approval, canAsk, notAsked } from './approve-on-phone-state.ts'
import { ChallengeNumber } from './challenge-number.tsx'
import { useNews } from './use-challenge-updates.ts'

export type ApproveOnPhonePageProps = PageProps & {
  page: Extract<SignInPage, { at: 'approve-on-phone' | 'verify-factor' }>
  /** Whether the phone is asked as soon as the page is there: whoever came by a press has asked already. */
  askAtOnce: boolean
  config: Pick<Config, 'baseUrl' | 'socketUrl'>
}

/** In place of a code: a number that is shown here, typed on the phone, and approved there. */
export const ApproveOnPhonePage = ({ page, askAtOnce, config, ...area }: ApproveOnPhonePageProps) => {
  const { api, messages, go, plain, said, onTry } = area
  const { credentials } = page
  const factorTypes = 'factorTypes' in page ? page.factorTypes : undefined
  const words = messages.approveOnPhone
  const push = useMemo(() => api.push ?? createPushApi(config), [api, config])
  const asked = 'asked' in page ? page.asked : undefined
  const message = isTooEarly(said) ? words.notYet : saidOfFactor(said, messages)
  const [state, dispatch] = useReducer(approval, undefined, (): Approval => {
    if (asked) return takenUp(asked)
    return message === undefined ? notAsked : { is: 'NotAsked', message }
  })
  const button = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch)
  const otp = { otpUsername: credentials.username, otpPassword: credentials.password }

  const ask = async () => {
    if (call.isRunning()) return
    const signal = call.begin()
    onTry()
    dispatch({ type: 'submitted' })
    const answer = explained(await push.pushChallenge(otp, signal))
    if (signal.aborted) return
    call.end()
    if (!answer.ok) {
      dispatch({ type: 'stayed' })
      return area.onFailure(answer.failure)
    }
    const outcome = answer.value
    switch (outcome.tag) {
      case 'PushChallengeOpened':
        return dispatch({ type: 'opened', asked: outcome.contents })
      case 'AuthFailureFailedLogin':
        return dispatch({ type: 'failed', message: messages.failures['failed-login'] })
      case 'AuthFailureForcedReset':
        return dispatch({ type: 'failed', message: messages.failures['forced-reset'] })
      case 'AuthFailureFactorError': {
        const { message, toast } = factorError(outcome.contents, messages.verifyErrors)
        dispatch({ type: 'failed', message })
        area.notify(toast)
      }
    }
  }

  const take = async () => {
    const signal = call.begin()
    await takeFactorAnswer(await api.verifyOTP(otp, signal), signal, { ...area, call, dispatch })
  }

  const begin = useRef({ ask, take })
  useEffect(() => {
    begin.current = { ask, take }
  })
  useEffect(() => {
    if (!askAtOnce) return
    // An effect may be run, undone and run again (StrictMode), and each question counts.
    const soon = setTimeout(() => void begin.current.ask())
    return () => clearTimeout(soon)
  }, [askAtOnce])
  const isApproved = state.is === 'Approved'
  useEffect(() => {
    if (!isApproved) return
    const soon = setTimeout(() => void begin.current.take())
    return () => clearTimeout(soon)
  }, [isApproved])

  const { hurry } = useNews(push, state.is === 'Pending', news => dispatch(news ? { type: 'told', ...news } : { type: 'lost' }))
  useFocusReturn(!canAsk(state), () => button.current?.focus())

  const leaving = state.is === 'VerifiedWithSuccess'
  const withCode = factorTypes?.includes('TOTP')
  return (
    <>
      <Title focused>{words.title}</Title>
      <Text>{words.text}</Text>
      <Form
        className={styles.form}
        send={() => {
          if (canAsk(state)) void ask()
          else if (state.is === 'Pending') hurry()
        }}
      >
        <Banner>{problem(state, words) ?? (state.is === 'Pending' && message)}</Banner>
        {'asked' in state && <ChallengeNumber {...state.asked} isOpen={state.is === 'Pending'} words={words} />}
        {state.is !== 'Pending' && (
          <Button
            ref={button}
            look="primary"
            type="submit"
            name="phone"
            value="ask"
            progress={leaving ? 'done' : canAsk(state) ? undefined : 'running'}
          >
            {label(state, messages)}
          </Button>
        )}
        {/* Where no script hears of the answer, a press takes it. */}
        {state.is === 'Pending' && asked && (
          <Button look="primary" type="submit" name="phone" value="approved">
            {words.goOn}
          </Button>
        )}
        <Announced>{state.is !== 'Pending' && !canAsk(state) && label(state, messages)}</Announced>
      </Form>
      <div className={styles.other}>
        {mayNotCome(state) && <p className={styles.note}>{words.hint}</p>}
        <div className={styles.divider}>
          <Divider>{messages.verifyFactor.or}</Divider>
        </div>
        {withCode && (
          <LinkButton
            to={plain(plainPages.secondFactor)}
            disabled={leaving}
            onClick={() => go({ at: 'verify-factor', credentials, firstSetup: false, factorTypes })}
          >
            {words.useCode}
          </LinkButton>
        )}
        {/* Who came by a mailed link has typed no password, and without it nothing is reset. */}
        {!withCode && credentials.username !== '' && (
          <LinkButton to={plain(plainPages.resetFactor)} disabled={leaving} onClick={() => go({ at: 'reset-factor', credentials })}>
            {messages.verifyFactor.reset}
          </LinkButton>
        )}
        <LinkButton
          to={plain(plainPages.recoveryCode)}
          disabled={leaving}
          onClick={() => go({ at: 'recovery-code', credentials, ...(factorTypes && { factorTypes }) })}
        >
          {messages.verifyFactor.useRecoveryCode}
        </LinkButton>
        <LinkButton to={plain(plainPages.login)} disabled={leaving} onClick={() => go({ at: 'login', email: credentials.username })}>
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

const isTooEarly = (said: PageProps['said']) =>
  said && 'explain' in said && said.explain.tag === 'DatabaseError' && said.explain.contents.tag === 'NoApprovedChallenges'

/** As the server rendered it. An approval is taken by a press, or once the script has heard of it. */
const takenUp = ({ status, ...asked }: ApprovalRequest & { status: PushStatus }): Approval => {
  const pending = { is: 'Pending', asked } as const
  return status.challengeStatus === 'Approved' ? pending : approval(pending, { type: 'told', ...status })
}

/** Whether somebody may look at a phone that shows nothing. */
const mayNotCome = (state: Approval) => state.is === 'Pending' || state.is === 'Denied' || state.is === 'Expired'

const label = (state: Approval, { approveOnPhone, verifyFactor }: Messages) => {
  switch (state.is) {
    case 'NotAsked':
    case 'Pending':
      return approveOnPhone.ask
    case 'Denied':
    case 'Expired':
      return approveOnPhone.askAgain
    case 'Asking':
      return approveOnPhone.asking
    case 'Approved':
      return approveOnPhone.approved
    case 'VerifiedWithSuccess':
      return verifyFactor.verified
  }
}

const problem = (state: Approval, words: Messages['approveOnPhone']) => {
  switch (state.is) {
    case 'NotAsked':
      return state.message
    case 'Denied':
      return words.denied(state.reason)
    case 'Expired':
      return words.expired
    case 'Asking':
    case 'Pending':
    case 'Approved':
    case 'VerifiedWithSuccess':
      return undefined
  }
}
