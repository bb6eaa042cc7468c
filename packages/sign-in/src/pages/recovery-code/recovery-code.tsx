import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { ignoreHeldEnter } from '@gatehouse/ui/buttons/ignore-held-enter.ts'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { plainPages, type SecondFactorType } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useReducer, useRef } from 'react'
import type { Messages } from '../../messages/messages.ts'
import { formResultMessage } from '../factor-error.ts'
import { preferredType } from '../factor-pages.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { createRecovery } from './recovery-code-flow.ts'
import { isBusy, notRecovered, type Recovery, recovery } from './recovery-code-state.ts'

type RecoveryCodePageProps = PageProps & { page: Extract<SignInPage, { at: 'recovery-code' }> }

/** The call accepts at most this many characters, including spaces and dashes. */
const maxCodeLength = 64

export const RecoveryCodePage = ({ page, ...area }: RecoveryCodePageProps) => {
  const { credentials } = page
  const { messages, go, formAction, formResult } = area
  const words = messages.recoveryCode
  const message = formResultMessage(formResult, messages)
  const [state, dispatch] = useReducer(
    recovery,
    message !== undefined ? { is: 'NotVerifiedWithError', message } : formResult ? { is: 'CodeMissing' } : notRecovered,
  )
  const code = useRef<HTMLInputElement>(null)
  const call = useSingleCall(dispatch, code)
  const verified = state.is === 'VerifiedWithSuccess'

  // Select a refused code, so the next character replaces it.
  useFocusReturn(isBusy(state), () => {
    code.current?.focus()
    if (state.is === 'NotVerifiedWithError') code.current?.select()
  })

  const flow = createRecovery({ ...area, credentials, call, dispatch })
  const verify = (typed: string) => {
    if (typed === '') code.current?.focus()
    void flow.verify(typed)
  }

  return (
    <>
      <Title>{words.title}</Title>
      <Text>{words.text}</Text>
      <Form className={styles.form} noValidate send={() => verify(code.current?.value.trim() ?? '')} onKeyDown={ignoreHeldEnter}>
        <Banner>{state.is === 'NotVerifiedWithError' && state.message}</Banner>
        <div className={styles.fields}>
          <Field
            data-part="code-input"
            ref={code}
            label={words.code}
            inputClass={styles.letters}
            error={state.is === 'CodeMissing' ? words.missing : undefined}
            type="text"
            name="recovery-code"
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={maxCodeLength}
            autoFocus
            required
            readOnly={isBusy(state)}
            onInput={() => dispatch({ type: 'edited' })}
          />
          <Button look="primary" type="submit" progress={state.is === 'Verifying' ? 'running' : verified ? 'done' : undefined}>
            {label(state, messages.verifyFactor)}
          </Button>
        </div>
        <Announced>{isBusy(state) && label(state, messages.verifyFactor)}</Announced>
      </Form>
      <div className={styles.other}>
        <LinkButton
          to={formAction(plainPages.secondFactor)}
          disabled={verified}
          onClick={() => go({ ...page, at: 'verify-factor', firstSetup: false })}
        >
          {backLabel(preferredType(page.factorTypes), words)}
        </LinkButton>
        <LinkButton to={formAction(plainPages.login)} disabled={verified} onClick={() => go({ at: 'login', email: credentials.username })}>
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

const backLabel = (type: SecondFactorType, words: Messages['recoveryCode']): string => {
  switch (type) {
    case 'TOTP':
      return words.useApp
    case 'Push':
      return words.usePhone
    case 'Passkey':
      return words.usePasskey
  }
}

const label = (state: Recovery, words: Messages['verifyFactor']) => {
  switch (state.is) {
    case 'NotVerified':
    case 'CodeMissing':
    case 'NotVerifiedWithError':
      return words.verify
    case 'Verifying':
      return words.verifying
    case 'VerifiedWithSuccess':
      return words.verified
  }
}
