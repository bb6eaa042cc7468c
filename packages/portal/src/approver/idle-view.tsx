import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { ReactNode } from 'react'
import styles from './approver.module.css'
import type { PhoneAccount } from './phone-accounts.ts'
import { words } from './words.ts'

type IdleViewProps = {
  accounts: readonly PhoneAccount[]
  /** Whether an enrolment waits for its number. */
  isWaiting: boolean
  /** Why nobody can say whether something waits; `undefined` while the server answers. */
  unreached: string | undefined
  onRemove: (account: PhoneAccount) => void
  /** How this phone is woken. */
  children: ReactNode
}

/** Nothing waits. */
export const IdleView = ({ accounts, isWaiting, unreached, onRemove, children }: IdleViewProps) => {
  const { title, text } = unreached ? { title: words.offlineTitle, text: unreached } : isWaiting ? words.waiting : words.idle
  return (
    <>
      <Title key={title} focused>
        {title}
      </Title>
      <Text>{text}</Text>
      {isWaiting && !unreached && (
        <div className={styles.waiting}>
          <Spinner />
        </div>
      )}
      {!isWaiting && !unreached && children}
      <section className={styles.section} aria-labelledby="on-this-phone">
        <h2 className={styles.heading} id="on-this-phone">
          {words.idle.accounts}
        </h2>
        {/* biome-ignore lint/a11y/noRedundantRoles: a list without its bullets is none to some screen readers unless it is called one */}
        <ul className={styles.accounts} role="list">
          {accounts.map(account => (
            <li className={styles.account} key={account.factorUUID}>
              <span className={styles.who}>
                {account.username}
                <span className={styles.quiet}>{account.productName}</span>
              </span>
              <LinkButton aria-label={words.idle.removeOf(account.username)} onClick={() => onRemove(account)}>
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
