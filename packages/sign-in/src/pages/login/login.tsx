import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { ignoreHeldEnter } from '@gatehouse/ui/buttons/ignore-held-enter.ts'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { plainPages, type SsoProviderName, type VerifyError } from '@gatehouse/wire'
import type { Credentials } from '@gatehouse/wire/page-props'
import { useReducer, useRef } from 'react'
import type { Api } from '../../calls/api.ts'
import { areCallsMissing, loadCalls } from '../../calls/lazy-calls.ts'
import { logError } from '../../log.ts'
import type { MessagesAtFirst } from '../../messages/messages.ts'
import { afterLogin, explained } from '../../next.ts'
import type { PageProps } from '../page-props.ts'
import styles from './login.module.css'
import { isBusy, type Login, login, notLoggedIn } from './login-state.ts'
import { SsoLinks } from './sso-links.tsx'
import { useLoginFields } from './use-login-fields.ts'

type LoginPageProps = Pick<PageProps, 'go' | 'plain' | 'said' | 'leave' | 'onTry' | 'onFailure'> & {
  messages: MessagesAtFirst
  api: Pick<Api, 'getAuthTokenWithError'>
  /** What the paths of the single sign-on links are appended to. */
  linkBase: string
  providers: readonly SsoProviderName[] | undefined
  /** What stands in the e-mail field at first. */
  initialEmail?: string | undefined
  /** Whether a field takes the focus when the page appears: the first that is to be filled in. */
  focused: boolean
}

export const LoginPage = ({
  api,
  messages,
  linkBase,
  providers,
  initialEmail,
  focused,
  go,
  plain,
  said,
  leave,
  onTry,
  onFailure,
}: LoginPageProps) => {
  const words = messages.login
  const [state, dispatch] = useReducer(
    login,
    said && 'show' in said ? { is: 'NotLoggedInWithError', reason: said.show, message: messages.failures[said.show] } : notLoggedIn,
  )
  const fields = useLoginFields(words)
  const submit = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch, fields.password.ref)

  useFocusReturn(isBusy(state), () => {
    if (state.is === 'NotLoggedInWithError' && state.reason === 'failed-login') selectAll(fields.password.ref.current)
    else if (!(document.activeElement instanceof HTMLInputElement)) submit.current?.focus()
  })

  const signIn = async (credentials: Credentials) => {
    const signal = call.begin()
    onTry()
    dispatch({ type: 'submitted' })
    const reply = explained(await api.getAuthTokenWithError({ ...credentials, useragent: '' }, signal))
    if (signal.aborted) return
    if (!reply.ok) {
      stay()
      onFailure(reply.failure)
      return
    }
    const step = afterLogin(reply.value, credentials)
    if ('leave' in step) {
      dispatch({ type: 'succeeded', token: step.leave })
      await leave(step.leave, signal)
    } else if ('go' in step) {
      go(step.go)
    } else if ('show' in step) {
      call.end()
      dispatch({ type: 'failed', reason: step.show, message: messages.failures[step.show] })
    } else {
      stay()
      if (step.stay.factorError) await logFactorError(step.stay.factorError)
    }
  }

  const stay = () => {
    call.end()
    dispatch({ type: 'stayed' })
  }

  return (
    <>
      {/* `post`, so that a browser without scripts never puts the password into an address. */}
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          const credentials = call.isRunning() ? undefined : fields.read()
          if (credentials && plain(plainPages.login) && areCallsMissing()) return
          event.preventDefault()
          if (credentials) void signIn(credentials)
        }}
        onKeyDown={ignoreHeldEnter}
      >
        <Banner>{state.is === 'NotLoggedInWithError' && state.message}</Banner>
        <div className={styles.fields}>
          <Field
            {...fields.email}
            label={words.email}
            type="email"
            name="username"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            defaultValue={initialEmail}
            // Taken by the browser before any script is there, and not taken again when it comes.
            autoFocus={focused && !said}
            required
          />
          <div className={styles.password}>
            <PasswordField
              {...fields.password}
              label={words.password}
              name="password"
              autoComplete="current-password"
              toggle={messages.passwordField}
              autoFocus={focused && said !== undefined}
              required
            />
            <div className={styles.forgot}>
              <LinkButton
                to={plain(plainPages.forgotPassword)}
                disabled={state.is === 'LoggedIn'}
                onClick={() => go({ at: 'forgot-password', email: fields.email.ref.current?.value ?? '' })}
              >
                {words.forgotPassword}
              </LinkButton>
            </div>
          </div>
        </div>
        <Button
          ref={submit}
          look="primary"
          type="submit"
          progress={state.is === 'LoggingIn' ? 'running' : state.is === 'LoggedIn' ? 'done' : undefined}
        >
          {label(state, words)}
        </Button>
        <Announced>{isBusy(state) && label(state, words)}</Announced>
      </form>
      <SsoLinks words={words} linkBase={linkBase} providers={providers} />
    </>
  )
}

const label = (state: Login, words: MessagesAtFirst['login']) => {
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

/** The texts of factor errors are long and rarely needed, so they load with the calls and not with the page. */
const logFactorError = async (error: VerifyError) => {
  const { verifyErrorText } = await loadCalls()
  logError(`AuthFailureFactorError: ${verifyErrorText(error)}`)
}

/** The next keystroke then replaces what was wrong. */
const selectAll = (field: HTMLInputElement | null) => {
  field?.focus()
  field?.select()
}
