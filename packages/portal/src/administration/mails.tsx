import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { type ReactNode, useCallback } from 'react'
import { Breakable } from '../breakable.tsx'
import { administrationTexts as words } from '../messages/current.ts'
import styles from './administration.module.css'
import { Reading } from './reading.tsx'
import rowStyles from './rows.module.css'
import { Cell, Moment, Rows } from './rows.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'

/** Emails that are not delivered: those that the mail server refused, and those that wait. */
export const Mails = ({ api, dates, isNavigated, banner, visit, base }: SectionProps & { banner: ReactNode }) => {
  const read = useCallback((signal: AbortSignal) => api.mails(signal), [api])
  const [state, again] = useRead(read)
  const page = words.mails
  const { to, kind, created, attempts, next, expires } = page.columns
  return (
    <>
      <div className={styles.titleRow}>
        <Title focused={isNavigated}>{page.title}</Title>
      </div>
      {banner}
      <div className={`${styles.intro} ${styles.introBelow}`}>
        <Text>{page.text}</Text>
      </div>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {({ waiting, mails }) =>
          mails.length === 0 ? (
            <p className={styles.empty}>{page.empty}</p>
          ) : (
            <>
              <Rows name={page.list} columns={[to, kind, created, attempts, next, expires]}>
                {mails.map(mail => (
                  <tr key={mail.mailId} className={rowStyles.row}>
                    <Cell column={to} lead>
                      {mail.mailTo ? (
                        <bdi>
                          <Breakable>{mail.mailTo}</Breakable>
                        </bdi>
                      ) : (
                        words.unknown
                      )}
                    </Cell>
                    <Cell column={kind}>
                      <span className={styles.kind}>{page.kinds[mail.mailKind] ?? page.otherKind}</span>
                    </Cell>
                    <Cell column={created}>
                      <Moment>{dates.dateTime(mail.mailCreated)}</Moment>
                    </Cell>
                    <Cell column={attempts}>{mail.mailAttempts}</Cell>
                    {mail.mailRefused ? (
                      <>
                        <Cell column={next}>
                          <span className={styles.lock}>{page.refused(String(mail.mailRefused))}</span>
                        </Cell>
                        <Cell column={expires}>{page.atOnce}</Cell>
                      </>
                    ) : (
                      <>
                        <Cell column={next}>
                          <Moment>{dates.dateTime(mail.mailNext)}</Moment>
                        </Cell>
                        <Cell column={expires}>
                          <Moment>{dates.dateTime(mail.mailExpires)}</Moment>
                        </Cell>
                      </>
                    )}
                  </tr>
                ))}
              </Rows>
              {waiting > mails.length && (
                <div className={styles.paging}>
                  <p className={styles.note}>{page.more(mails.length, waiting)}</p>
                </div>
              )}
            </>
          )
        }
      </Reading>
    </>
  )
}
