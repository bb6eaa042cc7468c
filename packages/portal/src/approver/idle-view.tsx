import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { ReactNode } from 'react'
import { approverTexts as words } from '../messages/current.ts'
import styles from './approver.module.css'
import type { PhoneAccount } from './phone-accounts.ts'

type IdleViewProps = {
  accounts: readonly PhoneAccount[]
  /** Whether an enrollment waits for its number. */
  isWaiting: boolean
  /** Why the phone can't tell whether there is a request; `undefined` while the server responds. */
  connectionProblem: string | undefined
  onRemove: (account: PhoneAccount) => void
  /** The notification settings. */
  children: ReactNode
}

/** The page while there is no request. */
export const IdleView = ({ accounts, isWaiting, connectionProblem, onRemove, children }: IdleViewProps) => {
  const { title, text } = connectionProblem
    ? { title: words.offlineTitle, text: connectionProblem }
    : isWaiting
      ? words.waiting
      : words.idle
  return (
    <>
      <Title key={title} focused>
        {title}
      </Title>
      <Text>{text}</Text>
      {isWaiting && !connectionProblem && (
        <div className={styles.waiting}>
          <Spinner />
        </div>
      )}
      {!isWaiting && !connectionProblem && children}
      <section className={styles.section} aria-labelledby="on-this-phone">
        <h2 className={styles.heading} id="on-this-phone">
          {words.idle.accounts}
        </h2>
        {/* biome-ignore lint/a11y/noRedundantRoles: without bullets, some screen readers announce a list only with an explicit role */}
        <ul className={styles.accounts} role="list">
          {accounts.map(account => (
            <li className={styles.account} key={account.factorUUID}>
              <span className={styles.who}>
                <bdi>{account.username}</bdi>
                <span className={styles.quiet}>{account.productName}</span>
              </span>
              <LinkButton danger aria-label={words.idle.removeOf(account.username)} onClick={() => onRemove(account)}>
                {words.idle.remove}
              </LinkButton>
            </li>
          ))}
        </ul>
        <p className={styles.note}>{words.idle.another}</p>
      </section>
    </>
  )
}
