import { Button, ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { BrandLogo } from '../brand-logo.tsx'
import { portalTexts, signInTexts } from '../messages/current.ts'
import styles from './mail-link-card.module.css'
import type { MailLinkState } from './mail-link-state.ts'

type MailLinkCardProps = {
  /** The card renders `Looking`, `NotLooked` and `Dead`; the children render the other states. */
  state: MailLinkState<unknown>
  /** The heading while the server checks the link. */
  title: string
  /** Why the link no longer works, in the page's words. */
  dead: Record<Extract<MailLinkState<unknown>, { is: 'Dead' }>['why'], string>
  /** Where the user gets a new link. */
  ask: { label: string; href: string }
  onRetry: () => void
  children: ReactNode
}

const words = () => portalTexts.mailLink

const statusOf = { Used: 'used', Expired: 'expired', Unknown: 'attention' } as const

/** Shown while the server checks the link. Without a script the user must paste the link, because no server sees the fragment. */
const Waiting = () => {
  const [scripted, setScripted] = useState(false)
  useEffect(() => setScripted(true), [])
  if (scripted) return <span className={styles.room} />
  return (
    <form className={styles.byHand} method="post">
      <p className={styles.why}>{words().byHand}</p>
      <Field
        label={words().pasted}
        type="text"
        name="link"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <Button look="primary" type="submit">
        {words().goOn}
      </Button>
    </form>
  )
}

/**
 * The card of a page that a mailed link opens. Each state has its own heading. A state with a field
 * focuses the field. The others focus the heading, except `Looking`, which moves no focus.
 */
export const MailLinkCard = ({ state, title, dead, ask, onRetry, children }: MailLinkCardProps) => (
  <Surface>
    <Card logo={<BrandLogo />}>
      {state.is === 'Looking' ? (
        <Statement key="looking" title={title} actions={<Waiting />}>
          <span className={styles.looking}>
            <Spinner />
            {words().looking}
          </span>
        </Statement>
      ) : state.is === 'NotLooked' ? (
        <Statement
          key="not-looked"
          status="attention"
          focused
          title={words().lookFailed}
          actions={
            <>
              <ErrorPanel title={signInTexts.unexpected.title} message={state.message} />
              <Button look="primary" onClick={onRetry}>
                {words().retry}
              </Button>
            </>
          }
        >
          {null}
        </Statement>
      ) : state.is === 'Dead' ? (
        <Statement
          key="dead"
          status={statusOf[state.why]}
          focused
          title={words().dead[state.why]}
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
      <Announced>{state.is === 'Looking' && words().looking}</Announced>
    </Card>
  </Surface>
)
