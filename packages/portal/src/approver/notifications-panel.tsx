import { Button, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { SuccessIcon } from '@gatehouse/ui/icons/status-icons.tsx'
import { approverRoutes, type PushPending, pushSubscription } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import { approverTexts as words } from '../messages/current.ts'
import styles from './approver.module.css'
import type { ApproverApi } from './approver-api.ts'
import { withProof } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'

type Channels = PushPending['wake']

type NotificationsPanelProps = {
  /** The accounts whose notification channels the server has sent. */
  accounts: readonly { account: PhoneAccount; channels: Channels }[]
  api: Pick<ApproverApi, 'nonce' | 'subscribe'>
  device: PhoneDevice
}

type Turning = 'asked' | 'turning' | 'failed'

/** How this phone learns of a request while the page is closed. Browsers ask for permission only after a click. */
export const NotificationsPanel = ({ accounts, api, device }: NotificationsPanelProps) => {
  const [turning, setTurning] = useState<Turning>('asked')
  const [install, setInstall] = useState<() => Promise<void>>()
  const permission = device.notifications()
  const subscribed = useRef(new Set<string>())

  const subscribeAll = async () => {
    for (const { account, channels } of accounts) {
      if (subscribed.current.has(account.factorUUID)) continue
      subscribed.current.add(account.factorUUID)
      const subscription = await device.subscription(channels.webPushKey)
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
  // If notifications are already allowed, subscribe again: the browser may have changed its push address.
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

  const isOn = permission === 'granted' && turning !== 'failed'
  const { ntfy, gotify } = accounts[0]?.channels ?? {}
  return (
    <section className={styles.section} aria-label={words.notifications.title}>
      {!isOn && <h2 className={styles.heading}>{words.notifications.title}</h2>}
      {permission === 'default' && (
        <>
          <p className={styles.note}>{words.notifications.text}</p>
          <Button progress={turning === 'turning' ? 'running' : undefined} onClick={() => void turnOn()}>
            {turning === 'turning' ? words.notifications.turningOn : words.notifications.turnOn}
          </Button>
        </>
      )}
      <p className={isOn ? styles.on : styles.note} role="status">
        {isOn && <SuccessIcon />}
        {saying(permission, turning)}
      </p>
      {install && <Button onClick={() => void install()}>{words.notifications.install}</Button>}
      {(ntfy || gotify) && (
        <details className={styles.others}>
          <summary>{words.notifications.others}</summary>
          {accounts.map(
            ({ account, channels }) => channels.ntfy && <Topic key={account.factorUUID} account={account} ntfy={channels.ntfy} />,
          )}
          {gotify && <p className={styles.note}>{words.notifications.gotify}</p>}
        </details>
      )}
    </section>
  )
}

const saying = (permission: ReturnType<PhoneDevice['notifications']>, turning: Turning) => {
  switch (permission) {
    case 'granted':
      return turning === 'failed' ? words.notifications.failed : words.notifications.on
    case 'denied':
      return words.notifications.denied
    case 'none':
      return words.notifications.none
    case 'default':
      return null
  }
}

const Topic = ({ account, ntfy }: { account: PhoneAccount; ntfy: NonNullable<Channels['ntfy']> }) => {
  const shown = useRef<HTMLElement>(null)
  const address = `${ntfy.url.replace(/\/$/, '')}/${ntfy.topic}`
  return (
    <div className={styles.hint}>
      <p>{words.notifications.ntfy}</p>
      <bdi className={styles.quiet}>{account.username}</bdi>
      <code ref={shown} dir="ltr">
        {ntfy.topic}
      </code>
      <CopyButton text={ntfy.topic} shownIn={shown} words={words.notifications} />
      <TextLink href={address}>
        <bdi>{address.replace(/\/[^/]*$/, '')}</bdi>
      </TextLink>
    </div>
  )
}
