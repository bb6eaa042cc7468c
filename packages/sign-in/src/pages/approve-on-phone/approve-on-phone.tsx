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
import { formResultMessage } from '../factor-error.ts'
import { offersReset, otherFactorLinks } from '../factor-pages.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { createPhoneApproval } from './approve-on-phone-flow.ts'
import { type Approval, approval, canAsk, notAsked } from './approve-on-phone-state.ts'
import { ChallengeNumber } from './challenge-number.tsx'
import { useChallengeUpdates } from './use-challenge-updates.ts'

export type ApproveOnPhonePageProps = PageProps & {
  page: Extract<SignInPage, { at: 'approve-on-phone' | 'verify-factor' }>
  /** Whether the page sends a challenge as soon as it appears, because the user has already chosen phone approval. */
  askAtOnce: boolean
  config: Pick<Config, 'baseUrl' | 'socketUrl'>
}

/** Shows a number that the user types on their phone to approve the sign-in. */
export const ApproveOnPhonePage = ({ page, askAtOnce, config, ...area }: ApproveOnPhonePageProps) => {
  const { api, messages, go, formAction, formResult } = area
  const { credentials } = page
  const factorTypes = 'factorTypes' in page ? page.factorTypes : undefined
  const words = messages.approveOnPhone
  const push = useMemo(() => api.push ?? createPushApi(config), [api, config])
  const asked = 'asked' in page ? page.asked : undefined
  const message = isTooEarly(formResult) ? words.notYet : formResultMessage(formResult, messages)
  const [state, dispatch] = useReducer(approval, undefined, (): Approval => {
    if (asked) return initialApproval(asked)
    return message === undefined ? notAsked : { is: 'NotAsked', message }
  })
  const button = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch)
  const { ask, confirm } = createPhoneApproval({ ...area, credentials, push, call, dispatch })

  const calls = useRef({ ask, confirm })
  useEffect(() => {
    calls.current = { ask, confirm }
  })
  useEffect(() => {
    if (!askAtOnce) return
    // StrictMode runs effects twice, and every challenge counts against a limit.
    const soon = setTimeout(() => void calls.current.ask())
    return () => clearTimeout(soon)
  }, [askAtOnce])
  const isApproved = state.is === 'Approved'
  useEffect(() => {
    if (!isApproved) return
    const soon = setTimeout(() => void calls.current.confirm())
    return () => clearTimeout(soon)
  }, [isApproved])

  const { poll } = useChallengeUpdates(push, state.is === 'Pending', status =>
    dispatch(status ? { type: 'updated', ...status } : { type: 'lost' }),
  )
  useFocusReturn(!canAsk(state), () => button.current?.focus())

  const leaving = state.is === 'VerifiedWithSuccess'
  const others = otherFactorLinks('Push', { credentials, factorTypes }, messages)
  return (
    <>
      <Title focused>{words.title}</Title>
      {/* The number has its own instruction. */}
      {!('asked' in state) && <Text>{words.text}</Text>}
      <Form
        className={styles.form}
        send={() => {
          if (canAsk(state)) void ask()
          else if (state.is === 'Pending') poll()
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
        {/* Without a script, the user reports the approval with this button. */}
        {state.is === 'Pending' && asked && (
          <Button look="primary" type="submit" name="phone" value="approved">
            {words.goOn}
          </Button>
        )}
        <Announced>{state.is !== 'Pending' && !canAsk(state) && label(state, messages)}</Announced>
      </Form>
      <div className={styles.other}>
        {showsHint(state) && (
          <p className={styles.note} data-part="note">
            {words.hint}
          </p>
        )}
        <div className={styles.divider}>
          <Divider>{messages.verifyFactor.or}</Divider>
        </div>
        {others.map(other => (
          <LinkButton key={other.path} to={formAction(other.path)} disabled={leaving} onClick={() => go(other.page)}>
            {other.label}
          </LinkButton>
        ))}
        <LinkButton
          to={formAction(plainPages.recoveryCode)}
          disabled={leaving}
          onClick={() => go({ at: 'recovery-code', credentials, ...(factorTypes && { factorTypes }) })}
        >
          {messages.verifyFactor.useRecoveryCode}
        </LinkButton>
        {offersReset('Push', factorTypes) && (
          <LinkButton to={formAction(plainPages.resetFactor)} disabled={leaving} onClick={() => go({ at: 'reset-factor', credentials })}>
            {messages.verifyFactor.reset}
          </LinkButton>
        )}
        <LinkButton to={formAction(plainPages.login)} disabled={leaving} onClick={() => go({ at: 'login', email: credentials.username })}>
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

const isTooEarly = (formResult: PageProps['formResult']) =>
  formResult &&
  'explain' in formResult &&
  formResult.explain.tag === 'DatabaseError' &&
  formResult.explain.contents.tag === 'NoApprovedChallenges'

/** The state that the server rendered. An approval still counts as pending, until the script or the user confirms it. */
const initialApproval = ({ status, ...asked }: ApprovalRequest & { status: PushStatus }): Approval => {
  const pending = { is: 'Pending', asked } as const
  return status.challengeStatus === 'Approved' ? pending : approval(pending, { type: 'updated', ...status })
}

/** Whether to explain what to do if the phone shows nothing. */
const showsHint = (state: Approval) => state.is === 'Pending' || state.is === 'Denied' || state.is === 'Expired'

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
      return words.denied[state.reason.tag]
    case 'Expired':
      return words.expired
    case 'Asking':
    case 'Pending':
    case 'Approved':
    case 'VerifiedWithSuccess':
      return undefined
  }
}
