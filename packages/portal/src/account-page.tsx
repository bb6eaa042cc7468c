import { type Api, Button, Card, ErrorPanel, english, Logo, Statement, Surface, Tag } from '@gatehouse/sign-in'
import { useState } from 'react'
import styles from './account-page.module.css'
import { failureMessage } from './failure-message.ts'
import { WaysToSignIn, type WaysToSignInProps } from './ways-to-sign-in.tsx'
import type { Way } from './ways-to-sign-in-state.ts'

/** What the server tells about the person who is signed in; `providers` are those that are set up or linked. */
export type AccountProps = { username: string; administrator: boolean; providers: Way[]; hasPassword: boolean }

export const isAccountProps = (props: unknown): props is AccountProps =>
  typeof props === 'object' &&
  props !== null &&
  'username' in props &&
  typeof props.username === 'string' &&
  'administrator' in props &&
  typeof props.administrator === 'boolean' &&
  'providers' in props &&
  Array.isArray(props.providers) &&
  props.providers.every(isWay) &&
  'hasPassword' in props &&
  typeof props.hasPassword === 'boolean'

const isWay = (way: unknown): way is Way =>
  typeof way === 'object' &&
  way !== null &&
  'provider' in way &&
  typeof way.provider === 'string' &&
  Object.hasOwn(words.providers, way.provider) &&
  'linked' in way &&
  typeof way.linked === 'boolean'

type AccountPageProps = AccountProps &
  Pick<WaysToSignInProps, 'visit' | 'leave'> & { api: Pick<Api, 'logoutBySelf'> & WaysToSignInProps['api'] }
type SignOut = { is: 'SignedIn' } | { is: 'SigningOut' } | { is: 'SignedInWithError'; message: string }

const words = english.account

export const AccountPage = ({ username, administrator, providers, hasPassword, api, visit, leave }: AccountPageProps) => {
  const [state, setState] = useState<SignOut>({ is: 'SignedIn' })

  const signOut = async () => {
    setState({ is: 'SigningOut' })
    const reply = await api.logoutBySelf()
    // 401: the session had ended already, and that is what was asked for.
    if (reply.ok || reply.failure.status === 401) return leave()
    setState({ is: 'SignedInWithError', message: failureMessage(reply.failure) })
  }

  return (
    <Surface>
      <Card logo={<Logo />}>
        <Statement
          title={words.title}
          actions={
            <>
              <ErrorPanel title={english.unexpected.title} message={state.is === 'SignedInWithError' ? state.message : undefined} />
              <Button progress={state.is === 'SigningOut' ? 'running' : undefined} onClick={signOut}>
                {state.is === 'SigningOut' ? words.signingOut : words.signOut}
              </Button>
            </>
          }
        >
          <p className={styles.who}>
            {words.signedInAs} <strong className={styles.name}>{username}</strong>
          </p>
          {administrator && <Tag>{words.administrator}</Tag>}
          {providers.length > 0 && (
            <WaysToSignIn username={username} providers={providers} hasPassword={hasPassword} api={api} visit={visit} leave={leave} />
          )}
        </Statement>
      </Card>
    </Surface>
  )
}
