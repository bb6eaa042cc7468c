import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { PhoneIcon } from '@gatehouse/ui/icons/icons.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { BesideQrCode } from '@gatehouse/ui/qr-code/beside-qr-code.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useId, useMemo, useReducer, useRef, useState } from 'react'
import { createPasskeyApi } from '../../calls/passkey-api.ts'
import type { Config } from '../../config.ts'
import type { Messages } from '../../messages/messages.ts'
import { isPush } from '../../next-after-factor.ts'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import { formResultMessage } from '../factor-error.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { createEnrollment } from './create-factor-flow.ts'
import { isBusy, notSkipped, type Skip, skip } from './create-factor-state.ts'
import bindingStyles from './factor-binding.module.css'
import { FactorBinding, opensInApp } from './factor-binding.tsx'

type CreateFactorPageProps = PageProps & {
  page: Extract<SignInPage, { at: 'create-factor' }>
  config: Pick<Config, 'baseUrl'>
}

export const CreateFactorPage = ({ page, config, ...area }: CreateFactorPageProps) => {
  const { credentials, factor, skipRefused, passkey } = page
  const { api, messages, go, formAction, formResult } = area
  const words = messages.createFactor
  const message = formResultMessage(formResult, messages)
  const [state, dispatch] = useReducer(skip, message === undefined ? notSkipped : { is: 'NotLoggedInWithError', message })
  const [by, setBy] = useState<'skip' | 'passkey'>('skip')
  const calls = useMemo(() => api.passkeys ?? createPasskeyApi(config), [api, config])
  const skipButton = useRef<HTMLButtonElement>(null)
  const passkeyButton = useRef<HTMLButtonElement>(null)
  const isHydrated = useHydrated()
  const noteId = useId()
  const call = useSingleCall(dispatch)
  const binding = factor.factorBinding?.tag === 'TOTPBinding' ? factor.factorBinding.contents : undefined
  const isOnDevice = isPush(factor)

  useFocusReturn(isBusy(state), () => (by === 'skip' ? skipButton : passkeyButton).current?.focus())

  const { setUpPasskey, skipFactor } = createEnrollment({ ...area, credentials, factor, calls, call, dispatch, onBegin: setBy })

  const next = (
    <Button
      look="primary"
      to={formAction(plainPages.firstCode)}
      disabled={state.is === 'LoggedIn' || (by === 'passkey' && isBusy(state))}
      onClick={() => go({ ...page, at: 'verify-factor', firstSetup: true })}
    >
      {words.next}
    </Button>
  )

  const back = {
    to: formAction(plainPages.login),
    disabled: state.is === 'LoggedIn',
    onClick: () => go({ at: 'login', email: credentials.username }),
  }
  // Without anything to set up, the way back is the next step.
  const isStuck = !binding && !isOnDevice

  const deviceName = factor.factorFriendlyName.trim()
  return (
    <BesideQrCode>
      <Title focused>{words.title}</Title>
      {binding ? (
        <>
          <Text>{words.text}</Text>
          <FactorBinding uri={binding.factorTOTPBindingURI} secret={binding.factorTOTPBindingSecret} messages={messages} />
        </>
      ) : isOnDevice ? (
        <>
          <Text>{words.textOnDevice}</Text>
          {deviceName && (
            <p className={bindingStyles.device} data-part="text">
              <PhoneIcon />
              <bdi>{deviceName}</bdi>
            </p>
          )}
        </>
      ) : (
        <div className={styles.form}>
          <ErrorPanel title={messages.unexpected.title} message={words.nothingToScan} />
          <Button look="primary" {...back}>
            {messages.backToLogin}
          </Button>
        </div>
      )}
      <Banner>{state.is === 'NotLoggedInWithError' && state.message}</Banner>
      {isOnDevice ? (
        <div className={styles.form}>{next}</div>
      ) : (
        binding && <div className={opensInApp(binding.factorTOTPBindingURI) ? bindingStyles.afterOpening : undefined}>{next}</div>
      )}
      {passkey && (!isHydrated || hasPasskeys()) && (
        // Without a script this button does nothing, so it is hidden and only keeps its space.
        <div className={`${styles.skip} ${styles.asleep}`} inert={!isHydrated}>
          <Button
            ref={passkeyButton}
            disabled={by === 'skip' && isBusy(state)}
            progress={by === 'passkey' ? progress(state) : undefined}
            onClick={() => void setUpPasskey(passkey)}
          >
            {by === 'passkey' && isBusy(state) ? label(state, by, words) : words.usePasskey}
          </Button>
        </div>
      )}
      {skipRefused ? (
        <div className={styles.skip}>
          <p className={styles.note} data-part="note">
            {words.skipRefused[skipRefused]}
          </p>
        </div>
      ) : (
        <Form className={`${styles.skip} ${styles.quiet}`} send={() => void skipFactor()}>
          <Button
            ref={skipButton}
            type="submit"
            disabled={by === 'passkey' && isBusy(state)}
            progress={by === 'skip' ? progress(state) : undefined}
            aria-describedby={noteId}
          >
            {by === 'skip' ? label(state, by, words) : words.skip}
          </Button>
          <p className={styles.note} data-part="note" id={noteId}>
            {words.skipNote}
          </p>
        </Form>
      )}
      <Announced>{isBusy(state) && label(state, by, words)}</Announced>
      {!isStuck && (
        <div className={styles.other}>
          <LinkButton {...back}>{messages.backToLogin}</LinkButton>
        </div>
      )}
    </BesideQrCode>
  )
}

const progress = (state: Skip) => (state.is === 'Skipping' ? 'running' : state.is === 'LoggedIn' ? 'done' : undefined)

const label = (state: Skip, by: 'skip' | 'passkey', words: Messages['createFactor']) => {
  switch (state.is) {
    case 'NotLoggedIn':
    case 'NotLoggedInWithError':
      return words.skip
    case 'Skipping':
      return by === 'skip' ? words.skipping : words.creatingPasskey
    case 'LoggedIn':
      return words.skipped
  }
}
