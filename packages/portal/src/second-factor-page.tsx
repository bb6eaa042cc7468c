import {
  Announced,
  Button,
  ButtonLink,
  Card,
  ErrorPanel,
  english,
  Logo,
  type Page,
  type PortalApi,
  Spinner,
  Statement,
  Surface,
  TextLink,
  useOneCall,
} from '@gatehouse/sign-in'
import type { AuthToken } from '@gatehouse/wire'
import { type ReactNode, useEffect, useReducer } from 'react'
import { afterContinue } from './after-continue.ts'
import styles from './second-factor-page.module.css'
import { asking, secondFactor } from './second-factor-state.ts'

type SecondFactorPageProps = {
  /** Path under which the server answers, without a slash at the end. */
  base: string
  /** Its call stays the same as long as the page does, as does `leave`. */
  api: Pick<PortalApi, 'continueSignIn'>
  /** Starts the session and goes to the token page. */
  leave: (token: AuthToken, signal: AbortSignal) => Promise<void>
  /** Draws the sign-in area from a page on. */
  goOn: (page: Page) => ReactNode
}

const words = english.secondFactor

/** A provider has said who this is; here it shows what our own server wants yet. The browser holds a ticket in a cookie. */
export const SecondFactorPage = ({ base, api: { continueSignIn }, leave, goOn }: SecondFactorPageProps) => {
  const [state, dispatch] = useReducer(secondFactor, asking)
  // For what the browser brings back; the call itself is made by no press but by the state.
  useOneCall(dispatch)
  const result = state.is === 'Answered' ? state.result : undefined
  const token = result?.is === 'LoggedIn' ? result.token : undefined

  useEffect(() => {
    if (state.is !== 'Asking') return
    const gone = new AbortController()
    void continueSignIn(gone.signal).then(reply => {
      if (!gone.signal.aborted) dispatch(afterContinue(reply))
    })
    return () => gone.abort()
  }, [state, continueSignIn])

  useEffect(() => {
    if (!token) return
    const gone = new AbortController()
    void leave(token, gone.signal)
    return () => gone.abort()
  }, [token, leave])

  if (result?.is === 'GoesOn') return goOn(result.page)

  const waiting = token ? words.signedIn : state.is === 'Asking' && words.asking
  return (
    <Surface>
      <Card logo={<Logo />}>
        {waiting ? (
          <Statement key="waiting" title={words.title} actions={<span className={styles.room} />}>
            <span className={styles.waiting}>
              <Spinner />
              {waiting}
            </span>
          </Statement>
        ) : result ? (
          <Statement
            key="forced-reset"
            focused
            title={words.resetPassword}
            actions={
              <ButtonLink look="primary" href={`${base}/#forgot`}>
                {words.resetPassword}
              </ButtonLink>
            }
          >
            {english.failures['forced-reset']}
          </Statement>
        ) : state.is === 'NotAsked' ? (
          <Statement
            key="not-asked"
            focused
            title={words.notAsked}
            actions={
              <>
                <ErrorPanel title={english.unexpected.title} message={state.message} />
                <Button look="primary" onClick={() => dispatch({ type: 'askedAgain' })}>
                  {words.retry}
                </Button>
                <div className={styles.other}>
                  <TextLink href={`${base}/`}>{words.signInAgain}</TextLink>
                </div>
              </>
            }
          >
            {null}
          </Statement>
        ) : (
          <Statement
            key="too-late"
            focused
            title={words.tooLate}
            actions={
              <ButtonLink look="primary" href={`${base}/`}>
                {words.signInAgain}
              </ButtonLink>
            }
          >
            {words.tooLateText}
          </Statement>
        )}
        <Announced>{waiting}</Announced>
      </Card>
    </Surface>
  )
}
