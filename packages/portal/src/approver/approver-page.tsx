import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { PushPending } from '@gatehouse/wire'
import { useEffect, useReducer, useState } from 'react'
import { BrandLogo } from '../brand-logo.tsx'
import { approverTexts as words } from '../messages/current.ts'
import { answerRequest } from './answer-request.ts'
import styles from './approver.module.css'
import type { ApproverApi } from './approver-api.ts'
import { type ApproverEvent, type ApproverState, approverState, type Decision, first, loading } from './approver-state.ts'
import { EndView, RemovedView } from './end-view.tsx'
import { EnrolView } from './enrol-view.tsx'
import type { EnrolmentLink } from './enrolment-link.ts'
import { IdleView } from './idle-view.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { PendingUpdates } from './pending-updates.tsx'
import type { PhoneAccount, PhoneAccounts } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'
import { RemovalView } from './removal-view.tsx'
import { DenyView, RequestView } from './request-view.tsx'
import { StartView, UnusableView } from './start-view.tsx'

type ApproverPageProps = {
  /** The enrollment link that opened the page, if one did. */
  link: EnrolmentLink | undefined
  /** Address of this page, without a fragment. */
  address: string
  /** `api`, `device` and `openAccounts` must stay the same while the page is open. */
  api: ApproverApi
  device: PhoneDevice
  /** Whether the browser can create keys. It can't on pages loaded over plain http. */
  isSecure: boolean
  openAccounts: () => Promise<PhoneAccounts>
}

type Opened = { is: 'Opening' } | { is: 'Unusable'; why: 'insecure' | 'store' } | { is: 'Open'; store: PhoneAccounts }
type States = Readonly<Record<string, ApproverState>>

const update = (states: States, { of, event }: { of: string; event: ApproverEvent }): States => ({
  ...states,
  [of]: approverState(states[of] ?? loading, event),
})

/** The app on an enrolled phone: shows requests and signs the answers. */
export const ApproverPage = ({ link, address, api, device, isSecure, openAccounts }: ApproverPageProps) => {
  const [opened, setOpened] = useState<Opened>({ is: 'Opening' })
  const [accounts, setAccounts] = useState<readonly PhoneAccount[]>([])
  const [states, dispatch] = useReducer(update, {})
  const [pending, setPending] = useState<Readonly<Record<string, PushPending>>>({})
  // The server verifies a phone when the account page asks next, so until then it may still say that the phone is unverified.
  const [approved, setApproved] = useState<readonly string[]>([])
  const [enrolment, setEnrolment] = useState(link)
  const [removing, setRemoving] = useState<PhoneAccount>()
  const [isConnected, setIsConnected] = useState(true)

  useEffect(() => {
    if (!isSecure) return setOpened({ is: 'Unusable', why: 'insecure' })
    let gone = false
    const open = async () => {
      const store = await openAccounts()
      const listed = await store.list()
      if (gone) return
      setAccounts(listed)
      setOpened({ is: 'Open', store })
    }
    open().catch(() => setOpened({ is: 'Unusable', why: 'store' }))
    return () => {
      gone = true
    }
  }, [isSecure, openAccounts])

  const connectionProblem = isConnected ? undefined : navigator.onLine ? words.noAnswer : words.offline

  const view = () => {
    if (opened.is === 'Opening')
      return (
        <Statement title={words.title} actions={<span className={styles.room} />}>
          <span className={styles.opening}>
            <Spinner />
            {words.opening}
          </span>
        </Statement>
      )
    if (opened.is === 'Unusable') return <UnusableView why={opened.why} />
    const { store } = opened

    const forget = async ({ factorUUID }: PhoneAccount) => {
      await store.forget(factorUUID)
      setAccounts(before => before.filter(other => other.factorUUID !== factorUUID))
    }

    if (enrolment) {
      return (
        <EnrolView
          link={enrolment}
          address={`${address}#enrol=${enrolment.selector}.${enrolment.token}`}
          api={api}
          device={device}
          onEnrolled={async account => {
            await store.keep(account)
            setAccounts(before => [...before.filter(({ factorUUID }) => factorUUID !== account.factorUUID), account])
            setEnrolment(undefined)
          }}
          onCancel={() => setEnrolment(undefined)}
        />
      )
    }
    if (accounts.length === 0) return <StartView onLink={setEnrolment} />

    const account = first(accounts, states)
    const state = account && states[account.factorUUID]
    if (account && state) {
      const tell = (event: ApproverEvent) => dispatch({ of: account.factorUUID, event })
      const shown = viewOf(account, state, tell, async (decision, number) => {
        if (!('request' in state)) return
        tell({ type: 'sent', decision })
        const event = await answerRequest(api, account, state.request, decision, number)
        tell(event)
        if (event.type === 'answered' && event.end.is === 'Approved') setApproved(before => [...before, account.factorUUID])
        await device.clearNotifications()
      })
      return shown ?? <RemovedView username={account.username} onDone={() => void forget(account)} />
    }
    if (removing)
      return (
        <RemovalView
          account={removing}
          api={api}
          onRemoved={() => void forget(removing).then(() => setRemoving(undefined))}
          onCancel={() => setRemoving(undefined)}
        />
      )
    return (
      <IdleView
        accounts={accounts}
        connectionProblem={connectionProblem}
        isWaiting={accounts.some(({ factorUUID }) => pending[factorUUID]?.verified === false && !approved.includes(factorUUID))}
        onRemove={setRemoving}
      >
        <NotificationsPanel
          accounts={accounts.flatMap(account => {
            const channels = pending[account.factorUUID]?.wake
            return channels ? [{ account, channels }] : []
          })}
          api={api}
          device={device}
        />
      </IdleView>
    )
  }

  // Without a request or a result, `IdleView` shows the connection problem.
  const isAnswering = first(accounts, states) !== undefined
  return (
    <Surface>
      <Card logo={<BrandLogo />}>
        <div role="status">{isAnswering && connectionProblem && <p className={styles.offline}>{connectionProblem}</p>}</div>
        {view()}
      </Card>
      {opened.is === 'Open' &&
        accounts
          .filter(({ factorUUID }) => states[factorUUID]?.is !== 'Removed')
          .map(account => (
            <PendingUpdates
              key={account.factorUUID}
              account={account}
              api={api}
              device={device}
              onEvent={event => {
                dispatch({ of: account.factorUUID, event })
                // Delete the key immediately: the server no longer knows it.
                if (event.type === 'removed') void opened.store.forget(account.factorUUID)
              }}
              onPending={told => setPending(before => ({ ...before, [account.factorUUID]: told }))}
              onConnection={setIsConnected}
            />
          ))}
    </Surface>
  )
}

/** The view of one account's state; `undefined` if this phone was removed from the account. */
const viewOf = (
  { factorUUID }: PhoneAccount,
  state: ApproverState,
  tell: (event: ApproverEvent) => void,
  answer: (decision: Decision, number?: string) => Promise<void>,
) => {
  const doubt = () => tell({ type: 'denyChosen' })
  const request = (asked: Extract<ApproverState, { is: 'Requested' | 'Answering' }>) => (
    <RequestView
      // A new request starts with an empty field.
      key={asked.request.challengeUUID}
      state={asked}
      onApprove={number => void answer('Approve', number)}
      onWrong={message => tell({ type: 'failed', problem: { at: 'number', message } })}
      onEdit={() => tell({ type: 'edited' })}
      onDenyChosen={doubt}
    />
  )
  const doubting = (asked: Extract<ApproverState, { is: 'ConfirmingDenial' | 'Answering' }>) => (
    <DenyView state={asked} onDeny={() => void answer('Deny')} onBack={() => tell({ type: 'denyCanceled' })} />
  )
  switch (state.is) {
    case 'Requested':
      return request(state)
    case 'ConfirmingDenial':
      return doubting(state)
    case 'Answering':
      return state.decision === 'Approve' ? request(state) : doubting(state)
    case 'Answered':
      return <EndView key={factorUUID} state={state} onDone={() => tell({ type: 'dismissed' })} />
    case 'Loading':
    case 'Idle':
    case 'Removed':
      return undefined
  }
}
