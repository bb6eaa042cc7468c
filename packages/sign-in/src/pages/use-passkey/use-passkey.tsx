import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useMemo, useReducer, useRef, useState } from 'react'
import { createPasskeyApi } from '../../calls/passkey-api.ts'
import type { Config } from '../../config.ts'
import type { Messages } from '../../messages/messages.ts'
import { hasPasskeys, isFramed } from '../../passkeys/has-passkeys.ts'
import { offersReset, otherFactorLinks } from '../factor-pages.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { createPasskeyVerification, passkeyOptionsOf } from './use-passkey-flow.ts'
import { notVerified, type UsePasskey, usePasskeyState } from './use-passkey-state.ts'

type UsePasskeyPageProps = PageProps & {
  page: Extract<SignInPage, { at: 'use-passkey' }>
  config: Pick<Config, 'baseUrl'>
}

/** Asks for a passkey as the second factor. */
export const UsePasskeyPage = ({ page, config, ...area }: UsePasskeyPageProps) => {
  const { api, messages, go, formAction } = area
  const { credentials, factorTypes } = page
  const words = messages.usePasskey
  const calls = useMemo(() => api.passkeys ?? createPasskeyApi(config), [api, config])
  const [state, dispatch] = useReducer(usePasskeyState, notVerified)
  const button = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch)
  // The options of the previous answer can be used only once.
  const [takeOptions] = useState(() => passkeyOptionsOf(page))
  const isHydrated = useHydrated()
  const isUsable = !isHydrated || hasPasskeys()
  const verified = state.is === 'VerifiedWithSuccess'

  const { verify } = createPasskeyVerification({ ...area, page, calls, takeOptions, call, dispatch })

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
        <LinkButton
          to={formAction(plainPages.recoveryCode)}
          disabled={verified}
          onClick={() => go({ at: 'recovery-code', credentials, ...(factorTypes && { factorTypes }) })}
        >
          {messages.verifyFactor.useRecoveryCode}
        </LinkButton>
        {offersReset('Passkey', factorTypes) && (
          <LinkButton to={formAction(plainPages.resetFactor)} disabled={verified} onClick={() => go({ at: 'reset-factor', credentials })}>
            {messages.verifyFactor.reset}
          </LinkButton>
        )}
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
