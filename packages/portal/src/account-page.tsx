import { type Api, Button, Card, ErrorPanel, english, Logo, Statement, Surface, Tag } from '@gatehouse/sign-in'
import { useState } from 'react'
import styles from './account-page.module.css'
import { failureMessage } from './failure-message.ts'

/** What the server tells about the person who is signed in. */
export type AccountProps = { username: string; administrator: boolean }

export const isAccountProps = (props: unknown): props is AccountProps =>
  typeof props === 'object' &&
  props !== null &&
  'username' in props &&
  typeof props.username === 'string' &&
  'administrator' in props &&
  typeof props.administrator === 'boolean'

type AccountPageProps = AccountProps & { api: Pick<Api, 'logoutBySelf'>; leave: () => void }
type SignOut = { is: 'SignedIn' } | { is: 'SigningOut' } | { is: 'SignedInWithError'; message: string }

const words = english.account

export const AccountPage = ({ username, administrator, api, leave }: AccountPageProps) => {
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
        </Statement>
      </Card>
    </Surface>
  )
}
