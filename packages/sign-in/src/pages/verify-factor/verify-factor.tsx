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
import { saidOfFactor } from '../factor-error.ts'
import { takeFactorAnswer } from '../factor-reply.ts'
import type { PageProps } from '../page-props.ts'
import styles from '../step.module.css'
import { isBusy, isSent, notVerified, type Verification, verification } from './verify-factor-state.ts'

type VerifyFactorPageProps = PageProps & {
  page: Extract<SignInPage, { at: 'verify-factor' }>
  /** Whether six digits are sent without a press of the button. */
  submitCodeWhenComplete: boolean
}

export const VerifyFactorPage = ({ page, submitCodeWhenComplete, ...area }: VerifyFactorPageProps) => {
  const { api, messages, go, plain, said, onTry } = area
  const { credentials, firstSetup } = page
  const factorUUID = firstSetup ? page.factor.factorUUID : page.factorUUID
  const asksPassword = factorUUID !== undefined && !firstSetup && credentials.password === ''
  const words = messages.verifyFactor
  const message = saidOfFactor(said, messages)
  const [state, dispatch] = useReducer(verification, message === undefined ? notVerified : { is: 'NotVerifiedWithError', message })
  // Verifying, as after the same with a script, would be a button that nobody can press.
  const [wasNone, setWasNone] = useState(said !== undefined && 'wrong' in said)
  const [unheard, setUnheard] = useState(false)
  const code = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const tried = useRef<number>(undefined)
  const call = useSingleCall(dispatch, code)

  // The next digit then replaces what was wrong.
  useFocusReturn(isBusy(state), () => {
    code.current?.focus()
    if (state.is === 'NotVerifiedWithError') code.current?.select()
  })

  const verify = async (otpVerification: number) => {
    const signal = call.begin()
    tried.current = otpVerification
    const otp = { otpUsername: credentials.username, otpPassword: password.current?.value ?? credentials.password, otpVerification }
    // A factor that is not verified yet: its first code sets it up.
    const reply = factorUUID === undefined ? api.verifyOTP(otp, signal) : api.setupOTP({ ...otp, otpFactorUUID: factorUUID }, signal)
    await takeFactorAnswer(await reply, signal, { ...area, call, dispatch })
  }

  const submit = (typed: number | undefined) => {
    if (call.isRunning()) return
    onTry()
    setWasNone(false)
    dispatch({ type: 'submitted', code: typed })
    if (typed !== undefined) return void verify(typed)
    // A field that takes the focus is read out with its error.
    setUnheard(document.activeElement === code.current)
    code.current?.focus()
  }

  const onInput = (text: string) => {
    setWasNone(false)
    dispatch({ type: 'edited' })
    const typed = parseVerificationCode(text)
    // Pasted or filled in once more, the code that was refused is still no edit.
    if (state.is === 'NotVerifiedWithError' && typed === tried.current) return
    tried.current = undefined
    if (submitCodeWhenComplete && typed !== undefined) submit(typed)
  }

  return (
    <>
      <Title>{words.title}</Title>
      <Text>
        {firstSetup && isPush(page.factor)
          ? words.textOnDevice
          : factorUUID !== undefined && !firstSetup
            ? words.textAfterReset
            : words.text}
      </Text>
      <Form
        className={styles.form}
        noValidate
        send={() => submit(parseVerificationCode(code.current?.value ?? ''))}
        onKeyDown={ignoreHeldEnter}
      >
        <Banner>{state.is === 'NotVerifiedWithError' && state.message}</Banner>
        <div className={styles.fields}>
          {/* A ticket stands in for the password on every way but this one. */}
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
            error={wasNone || (state.is === 'Verifying' && state.code === undefined) ? words.notSixDigits : undefined}
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
        <Announced>{announcement(state, words, unheard)}</Announced>
      </Form>
      <div className={styles.other}>
        {firstSetup ? (
          <LinkButton
            to={plain(plainPages.secondFactor)}
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
            {factorUUID === undefined && page.factorTypes?.includes('Push') && (
              <Button
                to={plain(plainPages.approveOnPhone)}
                disabled={state.is === 'VerifiedWithSuccess'}
                onClick={() => go({ at: 'approve-on-phone', credentials, factorTypes: page.factorTypes })}
              >
                {messages.approveOnPhone.title}
              </Button>
            )}
            <LinkButton
              to={plain(plainPages.resetFactor)}
              disabled={state.is === 'VerifiedWithSuccess'}
              onClick={() => go({ at: 'reset-factor', credentials })}
            >
              {words.reset}
            </LinkButton>
            {/* After a reset the one code that counts is the new factor's. */}
            {factorUUID === undefined && (
              <LinkButton
                to={plain(plainPages.recoveryCode)}
                disabled={state.is === 'VerifiedWithSuccess'}
                onClick={() => go({ ...page, at: 'recovery-code' })}
              >
                {words.useRecoveryCode}
              </LinkButton>
            )}
          </>
        )}
        <LinkButton
          to={plain(plainPages.login)}
          disabled={state.is === 'VerifiedWithSuccess'}
          onClick={() => go({ at: 'login', email: credentials.username })}
        >
          {messages.backToLogin}
        </LinkButton>
      </div>
    </>
  )
}

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

/** Of a code that is none the field's error tells, for nothing is under way. `unheard`: the field had the focus already. */
const announcement = (state: Verification, words: Messages['verifyFactor'], unheard: boolean) => {
  if (!isBusy(state)) return null
  if (state.is !== 'Verifying' || state.code !== undefined) return label(state, words)
  return unheard && words.notSixDigits
}
