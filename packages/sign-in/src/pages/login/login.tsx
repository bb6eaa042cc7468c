import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { ignoreHeldEnter } from '@gatehouse/ui/buttons/ignore-held-enter.ts'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { CardHeading, type Heading } from '@gatehouse/ui/layout/card.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { plainPages, type SsoProviderName } from '@gatehouse/wire'
import type { ProviderNotes } from '@gatehouse/wire/page-props'
import { type ReactNode, useReducer, useRef } from 'react'
import type { Api } from '../../calls/api.ts'
import { areCallsUnavailable } from '../../calls/lazy-calls.ts'
import type { FirstLoadMessages, Messages } from '../../messages/messages.ts'
import type { DeepPartial } from '../../messages/with-english.ts'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import type { PasskeyPage } from '../../passkeys/passkey-sign-in.ts'
import type { PageProps } from '../page-props.ts'
import styles from './login.module.css'
import { createLogin } from './login-flow.ts'
import { isPasskeyInForm, LoginMethods, orderOf, type SignInMethod } from './login-methods.tsx'
import { isBusy, type Login, login, notLoggedIn } from './login-state.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { SsoLinks } from './sso-links.tsx'
import { useLastMethod } from './use-last-method.ts'
import { useLoginFields } from './use-login-fields.ts'
import { usePasskeyOffer } from './use-passkey-offer.ts'

type LoginPageProps = Pick<PageProps, 'go' | 'formAction' | 'formResult' | 'leave' | 'beforeCall' | 'emit' | 'onFailure'> & {
  messages: FirstLoadMessages
  api: Pick<Api, 'getAuthTokenWithError'>
  heading: Heading | undefined
  /** Content of the host page between the heading and the form. */
  aboveForm?: ReactNode
  /** The order of the sign-in methods and their texts, if the host page sets them. Default: the specification's order. */
  methods?: readonly SignInMethod[] | undefined
  methodWords?: DeepPartial<Messages['methods']> | undefined
  /** Base of the single sign-on links. */
  linkBase: string
  providers: readonly SsoProviderName[] | undefined
  providerNotes?: ProviderNotes | undefined
  /** Undefined where the page offers no passkeys. */
  passkeys: PasskeyPage | undefined
  /** Initial value of the email field. */
  initialEmail?: string | undefined
  /**
   * Whether a field takes the focus when the page appears: the email field, or the password field after a form that was sent
   * without a script.
   */
  focused: boolean
}

export const LoginPage = ({
  api,
  messages,
  heading,
  aboveForm,
  methods,
  methodWords,
  linkBase,
  providers,
  providerNotes,
  passkeys: given,
  initialEmail,
  focused,
  go,
  formAction,
  formResult,
  leave,
  beforeCall,
  emit,
  onFailure,
}: LoginPageProps) => {
  const words = messages.login
  const order = import.meta.env.GATEHOUSE_OWN_PAGES ? undefined : methods && orderOf(methods)
  const passkeys = order && !order.includes('passkey') ? undefined : given
  const [state, dispatch] = useReducer(
    login,
    formResult && 'show' in formResult
      ? { is: 'NotLoggedInWithError', reason: formResult.show, message: messages.failures[formResult.show] }
      : notLoggedIn,
  )
  const fields = useLoginFields(words)
  const submit = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch, fields.password.ref)
  const method = useLastMethod()

  useFocusReturn(isBusy(state), () => {
    if (state.is === 'NotLoggedInWithError' && state.reason === 'failed-login') selectAll(fields.password.ref.current)
    else if (isReset || !(document.activeElement instanceof HTMLInputElement)) submit.current?.focus()
  })

  const { signIn, signInWithPasskey } = createLogin({
    api,
    messages,
    passkeys,
    call,
    dispatch,
    go,
    leave,
    beforeCall,
    emit,
    onFailure,
    remember: method.remember,
  })
  usePasskeyOffer(passkeys, isBusy(state), chosen => void signInWithPasskey(chosen))
  const marked = (by: 'password' | 'passkey') =>
    method.last === by && (providers?.length !== 0 || (passkeys && hasPasskeys())) ? words.lastUsed : undefined

  const email = () => fields.email.ref.current?.value ?? ''
  const isReset = state.is === 'NotLoggedInWithError' && state.reason === 'forced-reset'
  const toForgotPassword = {
    to: formAction(plainPages.forgotPassword),
    onClick: () => go({ at: 'forgot-password', email: email() }),
  }
  const banner = <Banner>{state.is === 'NotLoggedInWithError' && state.message}</Banner>
  const announced = <Announced>{isBusy(state) && label(state, words)}</Announced>
  const form =
    order && !order.includes('password') ? (
      <div>
        {banner}
        {announced}
      </div>
    ) : (
      /* `post`, so a browser without the script never puts the password into an address. */
      <form
        className={styles.form}
        data-part="form"
        method="post"
        noValidate
        onSubmit={event => {
          const credentials = call.isRunning() ? undefined : fields.read()
          if (credentials && formAction(plainPages.login) && areCallsUnavailable()) return
          event.preventDefault()
          if (credentials) void signIn(credentials)
        }}
        onKeyDown={ignoreHeldEnter}
      >
        {banner}
        <div className={styles.fields}>
          {/* Not in the banner, which contains only the specified sentence. */}
          {isReset && (
            <Button ref={submit} look="primary" {...toForgotPassword}>
              {words.resetPassword}
            </Button>
          )}
          <Field
            {...fields.email}
            label={words.email}
            type="email"
            name="username"
            autoComplete={passkeys ? 'username webauthn' : 'username'}
            inputMode="email"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            defaultValue={initialEmail}
            // The browser sets the focus before the script loads, and React does not set it again.
            autoFocus={focused && !formResult}
            required
          />
          <div className={styles.password}>
            <PasswordField
              {...fields.password}
              label={words.password}
              name="password"
              autoComplete="current-password"
              toggle={messages.passwordField}
              autoFocus={focused && formResult !== undefined}
              required
            />
            <div className={styles.forgot}>
              <LinkButton data-part="forgot-password" disabled={state.is === 'LoggedIn'} {...toForgotPassword}>
                {words.forgotPassword}
              </LinkButton>
            </div>
          </div>
        </div>
        <div className={styles.submit}>
          <Button
            ref={isReset ? undefined : submit}
            look={isReset ? 'outline' : 'primary'}
            type="submit"
            progress={state.is === 'LoggingIn' ? 'running' : state.is === 'LoggedIn' ? 'done' : undefined}
            aria-description={marked('password')}
          >
            {label(state, words)}
          </Button>
          {!isBusy(state) && (
            <span className={styles.last} data-part="last-used" aria-hidden="true">
              {marked('password')}
            </span>
          )}
        </div>
        {passkeys && (!order || isPasskeyInForm(order)) && (
          <PasskeyButton text={words.passkey} mark={marked('passkey')} disabled={isBusy(state)} onClick={() => void signInWithPasskey()} />
        )}
        {announced}
      </form>
    )
  const sso = <SsoLinks words={words} linkBase={linkBase} providers={providers} method={method} notes={providerNotes} bare={!!order} />

  return (
    <>
      {heading && <CardHeading {...heading} />}
      {aboveForm}
      {order ? (
        <LoginMethods
          order={order}
          words={words}
          own={methodWords}
          form={form}
          onPasskey={passkeys && !isPasskeyInForm(order) ? () => void signInWithPasskey() : undefined}
          isBusy={isBusy(state)}
          onLink={() => go({ at: 'forgot-password', email: email(), only: 'link' })}
          providers={providers?.length !== 0 && sso}
        />
      ) : (
        <>
          {form}
          {sso}
        </>
      )}
    </>
  )
}

const label = (state: Login, words: FirstLoadMessages['login']) => {
  switch (state.is) {
    case 'NotLoggedIn':
    case 'NotLoggedInWithError':
      return words.signIn
    case 'LoggingIn':
      return words.signingIn
    case 'LoggedIn':
      return words.signedIn
  }
}

/** Selects the text, so the next keystroke replaces it. */
const selectAll = (field: HTMLInputElement | null) => {
  field?.focus()
  field?.select()
}
