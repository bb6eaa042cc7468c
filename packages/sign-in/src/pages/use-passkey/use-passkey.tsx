import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { type PasskeyRequestOptions, plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useMemo, useReducer, useRef, useState } from 'react'
import { createPasskeyApi } from '../../calls/passkey-api.ts'
import type { Config } from '../../config.ts'
import type { Messages } from '../../messages/messages.ts'
import { hasPasskeys, isFramed } from '../../passkeys/has-passkeys.ts'
import { getPasskey } from '../../passkeys/passkey-ceremony.ts'
import { otherFactorLinks } from '../factor-pages.ts'
import { handleFactorReply } from '../factor-reply.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { notVerified, type UsePasskey, usePasskeyState } from './use-passkey-state.ts'

type UsePasskeyPageProps = PageProps & {
  page: Extract<SignInPage, { at: 'use-passkey' }>
  config: Pick<Config, 'baseUrl'>
}

/** How long a user may take in the browser's dialog, at least, until the challenge expires. */
const spareMs = 60_000

/** Asks for a passkey as the second factor. */
export const UsePasskeyPage = ({ page, config, ...area }: UsePasskeyPageProps) => {
  const { api, messages, go, formAction, beforeCall } = area
  const { credentials, factorTypes } = page
  const words = messages.usePasskey
  const calls = useMemo(() => api.passkeys ?? createPasskeyApi(config), [api, config])
  const [state, dispatch] = useReducer(usePasskeyState, notVerified)
  const button = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch)
  /** The challenge from the previous answer. It works once, and not for long. */
  const fresh = useRef(page.passkey)
  const [arrived] = useState(() => Date.now())
  const isHydrated = useHydrated()
  const isUsable = !isHydrated || hasPasskeys()
  const verified = state.is === 'VerifiedWithSuccess'

  const options = async (signal: AbortSignal): Promise<PasskeyRequestOptions | undefined> => {
    const first = fresh.current
    fresh.current = undefined
    if (first && Date.now() < arrived + first.timeout - spareMs) return first
    const reply = await calls.passkeyOptions('SecondFactor', signal)
    if (reply.ok) return { ...reply.value, ...(page.passkey && { allowCredentials: page.passkey.allowCredentials }) }
    if (!signal.aborted) area.onFailure(reply.failure)
    return undefined
  }

  const verify = async () => {
    if (call.isRunning()) return
    const signal = call.begin()
    beforeCall()
    dispatch({ type: 'submitted' })
    const asked = await options(signal)
    const credential = asked && (await getPasskey(asked, { signal }))
    if (signal.aborted) return
    if (credential === undefined || typeof credential === 'string') {
      call.end()
      return dispatch(credential === undefined ? { type: 'stayed' } : { type: 'failed', message: words.problems[credential] })
    }
    const request = { otpUsername: credentials.username, otpPassword: credentials.password, credential }
    const reply = await calls.passkeyVerify(request, signal)
    if (!signal.aborted && reply.ok && reply.value.tag === 'AuthFailureFactorError') {
      // The specification's sentence for it is about approvals.
      call.end()
      return dispatch({ type: 'failed', message: words.problems.Failed })
    }
    await handleFactorReply(reply, signal, { ...area, call, dispatch })
  }

  useFocusReturn(state.is === 'Verifying', () => button.current?.focus())
  const others = otherFactorLinks('Passkey', { credentials, factorTypes }, messages)
  return (
    <>
      <Title focused>{words.title}</Title>
      <Text>{isUsable ? words.text : isFramed() ? words.framed : words.unsupported}</Text>
      {isUsable && (
        <Form className={styles.form} send={() => void verify()}>
          <Banner>{state.is === 'NotVerifiedWithError' && state.message}</Banner>
          <noscript>
            <p className={styles.note} data-part="note">
              {words.needsScript}
            </p>
          </noscript>
          <Button ref={button} look="primary" type="submit" progress={verified ? 'done' : state.is === 'Verifying' ? 'running' : undefined}>
            {label(state, messages)}
          </Button>
          <Announced>{(verified || state.is === 'Verifying') && label(state, messages)}</Announced>
        </Form>
      )}
      <div className={styles.other}>
        <div className={styles.divider}>
          <Divider>{messages.verifyFactor.or}</Divider>
        </div>
        {others.map(other => (
          <LinkButton key={other.path} to={formAction(other.path)} disabled={verified} onClick={() => go(other.page)}>
            {other.label}
          </LinkButton>
        ))}
        {/* After an emailed link the page has no password, which a reset requires. */}
        {others.length === 0 && credentials.username !== '' && (
          <LinkButton to={formAction(plainPages.resetFactor)} disabled={verified} onClick={() => go({ at: 'reset-factor', credentials })}>
            {messages.verifyFactor.reset}
          </LinkButton>
        )}
        <LinkButton
          to={formAction(plainPages.recoveryCode)}
          disabled={verified}
          onClick={() => go({ at: 'recovery-code', credentials, ...(factorTypes && { factorTypes }) })}
        >
          {messages.verifyFactor.useRecoveryCode}
        </LinkButton>
        <LinkButton to={formAction(plainPages.login)} disabled={verified} onClick={() => go({ at: 'login', email: credentials.username })}>
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

const label = (state: UsePasskey, { usePasskey, verifyFactor }: Messages): string => {
  switch (state.is) {
    case 'NotVerified':
    case 'NotVerifiedWithError':
      return usePasskey.use
    case 'Verifying':
      return verifyFactor.verifying
    case 'VerifiedWithSuccess':
      return verifyFactor.verified
  }
}
