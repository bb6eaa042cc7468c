import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Logo } from '@gatehouse/ui/layout/logo.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { PushPending } from '@gatehouse/wire'
import { useEffect, useReducer, useState } from 'react'
import { answerQuestion } from './answer-request.ts'
import styles from './approver.module.css'
import type { ApproverApi } from './approver-api.ts'
import { type Decision, type Desk, type DeskEvent, desk, first, looking } from './approver-state.ts'
import { EndView, RemovedView } from './end-view.tsx'
import { EnrolView } from './enrol-view.tsx'
import type { EnrolmentLink } from './enrolment-link.ts'
import { IdleView } from './idle-view.tsx'
import { WakePanel } from './notifications-panel.tsx'
import { Watch } from './pending-updates.tsx'
import type { PhoneAccount, PhoneAccounts } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'
import { RemovalView } from './removal-view.tsx'
import { DoubtView, QuestionView } from './request-view.tsx'
import { StartView, UnusableView } from './start-view.tsx'
import { words } from './words.ts'

type ApproverPageProps = {
  /** The enrolment link that the page was opened by, if it was by one. */
  link: EnrolmentLink | undefined
  /** Address of this page, without a fragment. */
  address: string
  /** Everything handed in stays the same as long as the page does. */
  api: ApproverApi
  device: PhoneDevice
  /** Whether keys can be made: browsers make none on pages that came over plain http. */
  isSecure: boolean
  openAccounts: () => Promise<PhoneAccounts>
}

type Opened = { is: 'Opening' } | { is: 'Unusable'; why: 'insecure' | 'store' } | { is: 'Open'; store: PhoneAccounts }
type Desks = Readonly<Record<string, Desk>>

const desks = (all: Desks, { of, event }: { of: string; event: DeskEvent }): Desks => ({ ...all, [of]: desk(all[of] ?? looking, event) })

/** The app on the enrolled device: shows what waits, and signs the answer. */
export const ApproverPage = ({ link, address, api, device, isSecure, openAccounts }: ApproverPageProps) => {
  const [opened, setOpened] = useState<Opened>({ is: 'Opening' })
  const [accounts, setAccounts] = useState<readonly PhoneAccount[]>([])
  const [all, dispatch] = useReducer(desks, {})
  const [told, setTold] = useState<Readonly<Record<string, PushPending>>>({})
  const [enrolment, setEnrolment] = useState(link)
  const [removing, setRemoving] = useState<PhoneAccount>()
  const [isReached, setIsReached] = useState(true)

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

  const unreached = isReached ? undefined : navigator.onLine ? words.unreached : words.offline

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

    const markVerified = ({ factorUUID }: PhoneAccount) =>
      setTold(before => (before[factorUUID] ? { ...before, [factorUUID]: { ...before[factorUUID], verified: true } } : before))

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

    const account = first(accounts, all)
    const state = account && all[account.factorUUID]
    if (account && state) {
      const tell = (event: DeskEvent) => dispatch({ of: account.factorUUID, event })
      const shown = drawDesk(account, state, tell, async (decision, number) => {
        if (!('question' in state)) return
        tell({ type: 'sent', decision })
        const event = await answerQuestion(api, account, state.question, decision, number)
        tell(event)
        if (event.type === 'answered' && event.end.is === 'Approved') markVerified(account)
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
        unreached={unreached}
        isWaiting={accounts.some(({ factorUUID }) => told[factorUUID]?.verified === false)}
        onRemove={setRemoving}
      >
        <WakePanel
          accounts={accounts.flatMap(account => {
            const wake = told[account.factorUUID]?.wake
            return wake ? [{ account, wake }] : []
          })}
          api={api}
          device={device}
        />
      </IdleView>
    )
  }

  // While nothing waits the page as a whole says it.
  const isAnswering = first(accounts, all) !== undefined
  return (
    <Surface>
      <Card logo={<Logo />}>
        <div role="status">{isAnswering && unreached && <p className={styles.offline}>{unreached}</p>}</div>
        {view()}
      </Card>
      {opened.is === 'Open' &&
        accounts
          .filter(({ factorUUID }) => all[factorUUID]?.is !== 'Removed')
          .map(account => (
            <Watch
              key={account.factorUUID}
              account={account}
              api={api}
              device={device}
              onEvent={event => {
                dispatch({ of: account.factorUUID, event })
                // At once: what the server knows no more is of no use, whether or not anybody reads on.
                if (event.type === 'removed') void opened.store.forget(account.factorUUID)
              }}
              onTold={pending => setTold(before => ({ ...before, [account.factorUUID]: pending }))}
              onReached={setIsReached}
            />
          ))}
    </Surface>
  )
}

/** One account that has something to say; `undefined` where this phone was taken away from it. */
const drawDesk = (
  { factorUUID }: PhoneAccount,
  state: Desk,
  tell: (event: DeskEvent) => void,
  answer: (decision: Decision, number?: string) => Promise<void>,
) => {
  const doubt = () => tell({ type: 'doubted' })
  const question = (asked: Extract<Desk, { is: 'Asked' | 'Answering' }>) => (
    <QuestionView
      // Another question starts with an empty field.
      key={asked.question.challengeUUID}
      state={asked}
      onApprove={number => void answer('Approve', number)}
      onWrong={message => tell({ type: 'refused', problem: { at: 'number', message } })}
      onEdit={() => tell({ type: 'edited' })}
      onDoubt={doubt}
    />
  )
  const doubting = (asked: Extract<Desk, { is: 'Doubting' | 'Answering' }>) => (
    <DoubtView state={asked} onDeny={() => void answer('Deny')} onBack={() => tell({ type: 'reconsidered' })} />
  )
  switch (state.is) {
    case 'Asked':
      return question(state)
    case 'Doubting':
      return doubting(state)
    case 'Answering':
      return state.decision === 'Approve' ? question(state) : doubting(state)
    case 'Answered':
      return <EndView key={factorUUID} state={state} onDone={() => tell({ type: 'dismissed' })} />
    case 'Looking':
    case 'Idle':
    case 'Removed':
      return undefined
  }
}
