import { asciiDigits } from '@gatehouse/language/digits.ts'
import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { ignoreHeldEnter } from '@gatehouse/ui/buttons/ignore-held-enter.ts'
import { CodeField } from '@gatehouse/ui/fields/code-field.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { parseVerificationCode, plainPages } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { useReducer, useRef, useState } from 'react'
import type { Messages } from '../../messages/messages.ts'
import { isPush } from '../../next-after-factor.ts'
import { formResultError } from '../factor-error.ts'
import { otherFactorLinks } from '../factor-pages.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { asksPasswordAgain, createVerification, newFactorOf } from './verify-factor-flow.ts'
import { isBusy, isSent, notVerified, type Verification, verification } from './verify-factor-state.ts'

type VerifyFactorPageProps = PageProps & {
  page: Extract<SignInPage, { at: 'verify-factor' }>
  /** Whether the page sends the code as soon as it has six digits. */
  submitCodeWhenComplete: boolean
}

export const VerifyFactorPage = ({ page, submitCodeWhenComplete, ...area }: VerifyFactorPageProps) => {
  const { messages, go, formAction, formResult } = area
  const { credentials, firstSetup } = page
  const factorUUID = newFactorOf(page)
  const isAfterReset = factorUUID !== undefined && !firstSetup
  const asksPassword = asksPasswordAgain(page)
  const others =
    firstSetup || factorUUID !== undefined ? [] : otherFactorLinks('TOTP', { credentials, factorTypes: page.factorTypes }, messages)
  const words = messages.verifyFactor
  const shown = formResultError(formResult, messages)
  const [state, dispatch] = useReducer(verification, shown ? { is: 'NotVerifiedWithError', ...shown } : notVerified)
  // The result of a form that was sent without a script. With a script, the same input leads to the state Verifying, but that state would
  // disable the button here.
  const [wasNotSixDigits, setWasNotSixDigits] = useState(formResult !== undefined && 'wrong' in formResult)
  const [announceError, setAnnounceError] = useState(false)
  const code = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const sentCode = useRef<number>(undefined)
  const call = useSingleCall(dispatch, code)

  // Select a refused code, so the next digit replaces it.
  useFocusReturn(isBusy(state), () => {
    code.current?.focus()
    if (state.is === 'NotVerifiedWithError') code.current?.select()
  })

  const flow = createVerification({ ...area, page, call, dispatch })

  const submit = (typed: number | undefined) => {
    if (call.isRunning()) return
    setWasNotSixDigits(false)
    if (typed !== undefined) sentCode.current = typed
    void flow.verify(typed, password.current?.value)
    if (typed !== undefined) return
    // Screen readers read the error with the field when the field takes the focus, but not if the field already has it.
    setAnnounceError(document.activeElement === code.current)
    code.current?.focus()
  }

  const onInput = (text: string) => {
    setWasNotSixDigits(false)
    dispatch({ type: 'edited' })
    const typed = parseVerificationCode(asciiDigits(text))
    // Pasting or autofilling the refused code again is not an edit.
    if (state.is === 'NotVerifiedWithError' && typed === sentCode.current) return
    sentCode.current = undefined
    if (submitCodeWhenComplete && typed !== undefined) submit(typed)
  }

  return (
    <>
      <Title>{words.title}</Title>
      <Text>{firstSetup && isPush(page.factor) ? words.textOnDevice : isAfterReset ? words.textAfterReset : words.text}</Text>
      {isAfterReset && credentials.username !== '' && (
        <p className={`${styles.address} ${styles.reason}`} data-part="text">
          {messages.forgotPassword.sentTo(credentials.username)}
        </p>
      )}
      <Form
        className={styles.form}
        noValidate
        send={() => submit(parseVerificationCode(asciiDigits(code.current?.value ?? '')))}
        onKeyDown={ignoreHeldEnter}
      >
        <Banner>{state.is === 'NotVerifiedWithError' && withAdvice(state)}</Banner>
        <div className={styles.fields}>
          {/* Here, a ticket cannot replace the password. */}
          {asksPassword && (
            <PasswordField
              ref={password}
              label={messages.login.password}
              name="password"
              autoComplete="current-password"
              toggle={messages.passwordField}
              autoFocus
              required
            />
          )}
          <CodeField
            ref={code}
            focused={!asksPassword}
            label={words.code}
            error={wasNotSixDigits || (state.is === 'Verifying' && state.code === undefined) ? words.notSixDigits : undefined}
            isWrong={state.is === 'NotVerifiedWithError' && state.wrongCode === true}
            readOnly={isSent(state) || state.is === 'VerifiedWithSuccess'}
            onInput={event => onInput(event.currentTarget.value)}
          />
          <Button
            look="primary"
            type="submit"
            progress={state.is === 'Verifying' ? 'running' : state.is === 'VerifiedWithSuccess' ? 'done' : undefined}
          >
            {label(state, words)}
          </Button>
        </div>
        <Announced>{announcement(state, words, announceError)}</Announced>
      </Form>
      <div className={styles.other}>
        {firstSetup ? (
          <LinkButton
            to={formAction(plainPages.secondFactor)}
            disabled={state.is === 'VerifiedWithSuccess'}
            onClick={() => go({ ...page, at: 'create-factor' })}
          >
            {isPush(page.factor) ? words.showInstructions : words.showQrCode}
          </LinkButton>
        ) : (
          <>
            <div className={styles.divider}>
              <Divider>{words.or}</Divider>
            </div>
            {others.length > 0 && (
              <div className={styles.ways}>
                {others.map(other => (
                  <Button
                    key={other.path}
                    to={formAction(other.path)}
                    disabled={state.is === 'VerifiedWithSuccess'}
                    onClick={() => go(other.page)}
                  >
                    {other.label}
                  </Button>
                ))}
              </div>
            )}
            {/* After a reset, only a code of the new factor is valid. */}
            {factorUUID === undefined && (
              <LinkButton
                to={formAction(plainPages.recoveryCode)}
                disabled={state.is === 'VerifiedWithSuccess'}
                onClick={() => go({ ...page, at: 'recovery-code' })}
              >
                {words.useRecoveryCode}
              </LinkButton>
            )}
            <LinkButton
              to={formAction(plainPages.resetFactor)}
              disabled={state.is === 'VerifiedWithSuccess'}
              onClick={() => go({ at: 'reset-factor', credentials })}
            >
              {words.reset}
            </LinkButton>
          </>
        )}
        <LinkButton
          to={formAction(plainPages.login)}
          disabled={state.is === 'VerifiedWithSuccess'}
          onClick={() => go({ at: 'login', email: credentials.username })}
        >
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

const withAdvice = ({ message, advice }: { message: string; advice?: string | undefined }) =>
  advice === undefined ? (
    message
  ) : (
    <>
      <p className={styles.reason}>{message}</p>
      <p>{advice}</p>
    </>
  )

const label = (state: Verification, words: Messages['verifyFactor']) => {
  switch (state.is) {
    case 'NotVerified':
    case 'NotVerifiedWithError':
      return words.verify
    case 'Verifying':
      return words.verifying
    case 'VerifiedWithSuccess':
      return words.verified
  }
}

/** Text for screen readers. After a code that is not six digits, it is the field's error, but only if the field already had the focus. */
const announcement = (state: Verification, words: Messages['verifyFactor'], announceError: boolean) => {
  if (!isBusy(state)) return null
  if (state.is !== 'Verifying' || state.code !== undefined) return label(state, words)
  return announceError && words.notSixDigits
}
