import type { AuthToken } from '@gatehouse/wire'
import { useEffect, useReducer, useRef } from 'react'
import type { Api, Failure } from '../api.ts'
import { logError } from '../log.ts'
import type { Messages } from '../messages/messages.ts'
import { afterLogin, type Credentials, type Page } from '../next.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import styles from './login.module.css'
import { isBusy, type Login, login, notLoggedIn } from './login-state.ts'
import { SsoLinks } from './sso-links.tsx'
import { useLoginFields } from './use-login-fields.ts'

type LoginPageProps = {
  api: Pick<Api, 'getAuthTokenWithError'>
  messages: Messages
  linkBase: string
  /** Whether the e-mail field takes the focus when the page appears. */
  focused: boolean
  go: (page: Page) => void
  leave: (token: AuthToken, signal: AbortSignal) => Promise<void>
  /** A call is about to be made; what was said of an earlier one no longer holds. */
  onTry: () => void
  /** A call failed in a way §8 does not name. */
  onUnexpected: (failure: Failure) => void
}

export const LoginPage = ({ api, messages, linkBase, focused, go, leave, onTry, onUnexpected }: LoginPageProps) => {
  const words = messages.login
  const [state, dispatch] = useReducer(login, notLoggedIn)
  const fields = useLoginFields(words)
  const submit = useRef<HTMLButtonElement>(null)
  const running = useRef<AbortController | null>(null)

  useEffect(() => {
    if (focused) fields.email.ref.current?.focus()
  }, [focused, fields.email.ref])

  useEffect(() => {
    const stop = () => {
      running.current?.abort()
      running.current = null
    }
    const onPageShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      stop()
      dispatch({ type: 'restored' })
    }
    window.addEventListener('pageshow', onPageShow)
    return () => {
      window.removeEventListener('pageshow', onPageShow)
      stop()
    }
  }, [])

  // Disabled, the button lost the focus. Whoever works by keyboard goes on where the next step is.
  const wasBusy = useRef(false)
  useEffect(() => {
    const over = wasBusy.current && !isBusy(state)
    wasBusy.current = isBusy(state)
    if (!over || (document.activeElement !== document.body && document.activeElement !== submit.current)) return
    if (state.is === 'NotLoggedInWithError' && state.reason === 'failed-login') selectAll(fields.password.ref.current)
    else submit.current?.focus()
  }, [state, fields.password.ref])

  const signIn = async (credentials: Credentials) => {
    const call = new AbortController()
    running.current = call
    onTry()
    dispatch({ type: 'submitted' })
    const reply = await api.getAuthTokenWithError({ ...credentials, useragent: '' }, call.signal)
    if (call.signal.aborted) return
    if (!reply.ok) {
      stay()
      // §8: what cannot be decoded is only written to the console.
      if (reply.failure.is === 'malformed') logError(reply.failure.message)
      else onUnexpected(reply.failure)
      return
    }
    const step = afterLogin(reply.value, credentials)
    if ('leave' in step) {
      dispatch({ type: 'succeeded', token: step.leave })
      await leave(step.leave, call.signal)
    } else if ('go' in step) {
      go(step.go)
    } else if ('show' in step) {
      running.current = null
      dispatch({ type: 'failed', reason: step.show, message: messages.failures[step.show] })
    } else {
      stay()
      if (step.stay.log !== undefined) logError(step.stay.log)
    }
  }

  const stay = () => {
    running.current = null
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
          event.preventDefault()
          if (running.current) return
          const credentials = fields.read()
          if (credentials) void signIn(credentials)
        }}
        onKeyDown={event => {
          // Enter held down would try a wrong password again and again.
          if (event.key === 'Enter' && event.repeat) event.preventDefault()
        }}
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
            required
          />
          <div className={styles.password}>
            <PasswordField
              {...fields.password}
              label={words.password}
              name="password"
              autoComplete="current-password"
              toggle={messages.passwordField}
              required
            />
            <div className={styles.forgot}>
              <LinkButton disabled={state.is === 'LoggedIn'} onClick={() => go({ at: 'forgot-password' })}>
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
        <span role="status" className={styles.announced}>
          {isBusy(state) && label(state, words)}
        </span>
      </form>
      <SsoLinks words={words} linkBase={linkBase} />
    </>
  )
}

const label = (state: Login, words: Messages['login']) => {
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

/** The next keystroke then replaces what was wrong. */
const selectAll = (field: HTMLInputElement | null) => {
  field?.focus()
  field?.select()
}
