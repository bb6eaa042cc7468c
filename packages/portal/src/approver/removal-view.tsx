import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { approverRoutes } from '@gatehouse/wire'
import { useState } from 'react'
import { failureMessage } from '../failure-message.ts'
import { signInTexts, approverTexts as words } from '../messages/current.ts'
import styles from './approver.module.css'
import type { ApproverApi } from './approver-api.ts'
import { withProof } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'

type RemovalViewProps = {
  account: PhoneAccount
  api: Pick<ApproverApi, 'nonce' | 'leave'>
  onRemoved: () => void
  onCancel: () => void
}

type Removal = { is: 'Requested'; message?: string } | { is: 'Removing' }

/** Removes an account from this phone, and this phone from the account. */
export const RemovalView = ({ account, api, onRemoved, onCancel }: RemovalViewProps) => {
  const [state, setState] = useState<Removal>({ is: 'Requested' })
  const running = state.is === 'Removing'

  const remove = async () => {
    setState({ is: 'Removing' })
    const reply = await withProof(api, account, { call: approverRoutes.leave.path }, proof => api.leave(proof))
    if (reply.ok || reply.failure.status === 410) return onRemoved()
    const message = reply.failure.status === 409 ? words.removal.lastStays : failureMessage(reply.failure)
    setState({ is: 'Requested', message })
  }

  return (
    <>
      <Title focused>{words.removal.title(account.username)}</Title>
      <Text>{words.removal.text}</Text>
      <div className={styles.form}>
        <ErrorPanel title={signInTexts.unexpected.title} message={state.is === 'Requested' ? state.message : undefined} />
        <Button look="danger" progress={running ? 'running' : undefined} onClick={() => void remove()}>
          {running ? words.removal.running : words.removal.submit}
        </Button>
        <Announced>{running && words.removal.running}</Announced>
      </div>
      <div className={styles.links}>
        <LinkButton disabled={running} onClick={onCancel}>
          {words.removal.cancel}
        </LinkButton>
      </div>
    </>
  )
}
