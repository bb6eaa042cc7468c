import { Button, ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Logo } from '@gatehouse/ui/layout/logo.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { english } from '../messages/en.ts'
import styles from './mail-link-card.module.css'
import type { MailLinkState } from './mail-link-state.ts'

type MailLinkCardProps = {
  /** Which of the states before and beside use it draws; the rest are the children's. */
  state: MailLinkState<unknown>
  /** Heading while nothing is known of the link. */
  title: string
  /** Why such a link is good no more, in the page's own words. */
  dead: Record<Extract<MailLinkState<unknown>, { is: 'Dead' }>['why'], string>
  /** Where one gets a new link. */
  ask: { label: string; href: string }
  onRetry: () => void
  /** Whether it may grow to 466 px. */
  wide?: boolean
  children: ReactNode
}

const words = english.mailLink

/** What stands below while the link is looked at: no server sees it, so where no script comes it is pasted. */
const Waiting = () => {
  const [scripted, setScripted] = useState(false)
  useEffect(() => setScripted(true), [])
  if (scripted) return <span className={styles.room} />
  return (
    <form className={styles.byHand} method="post">
      <p className={styles.why}>{words.byHand}</p>
      <Field
        label={words.pasted}
        type="text"
        name="link"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <Button look="primary" type="submit">
        {words.goOn}
      </Button>
    </form>
  )
}

/** The card of a page that a mailed link opens. Each of its states is another heading, which takes the focus. */
export const MailLinkCard = ({ state, title, dead, ask, onRetry, wide = false, children }: MailLinkCardProps) => (
  <Surface>
    <Card logo={<Logo />} wide={wide}>
      {state.is === 'Looking' ? (
        <Statement key="looking" title={title} actions={<Waiting />}>
          <span className={styles.looking}>
            <Spinner />
            {words.looking}
          </span>
        </Statement>
      ) : state.is === 'NotLooked' ? (
        <Statement
          key="not-looked"
          focused
          title={words.lookFailed}
          actions={
            <>
              <ErrorPanel title={english.unexpected.title} message={state.message} />
              <Button look="primary" onClick={onRetry}>
                {words.retry}
              </Button>
            </>
          }
        >
          {null}
        </Statement>
      ) : state.is === 'Dead' ? (
        <Statement
          key="dead"
          focused
          title={words.dead[state.why]}
          actions={
            <ButtonLink look="primary" href={ask.href}>
              {ask.label}
            </ButtonLink>
          }
        >
          {dead[state.why]}
        </Statement>
      ) : (
        children
      )}
      <Announced>{state.is === 'Looking' && words.looking}</Announced>
    </Card>
  </Surface>
)
