import { Button, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { approverRoutes, type PushPending, pushSubscription } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import styles from './approver.module.css'
import type { ApproverApi } from './approver-api.ts'
import { withProof } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'
import { words } from './words.ts'

type Wake = PushPending['wake']

type WakePanelProps = {
  /** Those of which the server has told how they are woken. */
  accounts: readonly { account: PhoneAccount; wake: Wake }[]
  api: Pick<ApproverApi, 'nonce' | 'subscribe'>
  device: PhoneDevice
}

type Turning = 'asked' | 'turning' | 'failed'

/** How this phone is told while the page is closed. The browser asks its own question only after a press. */
export const WakePanel = ({ accounts, api, device }: WakePanelProps) => {
  const [turning, setTurning] = useState<Turning>('asked')
  const [install, setInstall] = useState<() => Promise<void>>()
  const permission = device.notifications()
  const subscribed = useRef(new Set<string>())

  const subscribeAll = async () => {
    for (const { account, wake } of accounts) {
      if (subscribed.current.has(account.factorUUID)) continue
      subscribed.current.add(account.factorUUID)
      const subscription = await device.subscription(wake.webPushKey)
      if (!subscription) throw new Error('there is no subscription')
      const purpose = { call: approverRoutes.subscribe.path, body: pushSubscription(subscription) }
      const reply = await withProof(api, account, purpose, proof => api.subscribe({ ...proof, subscription }))
      if (!reply.ok) throw new Error(reply.failure.message)
    }
  }

  const subscribe = useRef(subscribeAll)
  useEffect(() => {
    subscribe.current = subscribeAll
  })
  const known = accounts.map(({ account }) => account.factorUUID).join()
  // Where it is allowed already: the browser may have changed where it is reached.
  useEffect(() => {
    if (permission === 'granted' && known !== '') void subscribe.current().catch(() => setTurning('failed'))
  }, [permission, known])

  useEffect(() => device.onInstallable(offer => setInstall(() => offer)), [device])

  const turnOn = async () => {
    setTurning('turning')
    await device.askForNotifications()
    subscribed.current.clear()
    setTurning('asked')
  }

  const { ntfy, gotify } = accounts[0]?.wake ?? {}
  return (
    <section className={styles.section} aria-labelledby="be-told">
      <h2 className={styles.heading} id="be-told">
        {words.wake.title}
      </h2>
      {permission === 'default' && (
        <>
          <p className={styles.note}>{words.wake.text}</p>
          <Button progress={turning === 'turning' ? 'running' : undefined} onClick={() => void turnOn()}>
            {turning === 'turning' ? words.wake.turningOn : words.wake.turnOn}
          </Button>
        </>
      )}
      <p className={styles.note} role="status">
        {saying(permission, turning)}
      </p>
      {install && <Button onClick={() => void install()}>{words.wake.install}</Button>}
      {(ntfy || gotify) && (
        <details className={styles.others}>
          <summary>{words.wake.others}</summary>
          {accounts.map(({ account, wake }) => wake.ntfy && <Topic key={account.factorUUID} account={account} ntfy={wake.ntfy} />)}
          {gotify && <p className={styles.note}>{words.wake.gotify}</p>}
        </details>
      )}
    </section>
  )
}

const saying = (permission: ReturnType<PhoneDevice['notifications']>, turning: Turning) => {
  switch (permission) {
    case 'granted':
      return turning === 'failed' ? words.wake.failed : words.wake.on
    case 'denied':
      return words.wake.denied
    case 'none':
      return words.wake.none
    case 'default':
      return null
  }
}

const Topic = ({ account, ntfy }: { account: PhoneAccount; ntfy: NonNullable<Wake['ntfy']> }) => {
  const shown = useRef<HTMLElement>(null)
  const address = `${ntfy.url.replace(/\/$/, '')}/${ntfy.topic}`
  return (
    <div className={styles.hint}>
      <p>{words.wake.ntfy}</p>
      <span className={styles.quiet}>{account.username}</span>
      <code ref={shown}>{ntfy.topic}</code>
      <CopyButton text={ntfy.topic} shownIn={shown} words={words.wake} />
      <TextLink href={address}>{address.replace(/\/[^/]*$/, '')}</TextLink>
    </div>
  )
}
