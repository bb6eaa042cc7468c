import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { AlertIcon } from '@gatehouse/ui/icons/icons.tsx'
import { SuccessIcon, WarningIcon } from '@gatehouse/ui/icons/status-icons.tsx'
import { useId } from 'react'
import { administrationTexts as words } from '../messages/current.ts'
import type { UserPartProps } from './user-part.ts'
import { helpFor, noteOf, sentenceOf, type Tone, toneOf, verdictOf } from './verdict.ts'
import styles from './verdict-panel.module.css'

/** Says in one sentence whether the user can sign in, and shows a button for the action that helps, if any. */
export const VerdictPanel = ({ detail, dates, actions, whom }: UserPartProps) => {
  const id = useId()
  const verdict = verdictOf(detail)
  const help = helpFor(verdict)
  const tone = toneOf(verdict)
  const note = noteOf(verdict, detail, way => words.board.wayNames[way])
  return (
    <section className={`${styles.panel} ${styles[tone]}`} aria-labelledby={id}>
      <h2 className={styles.label} id={id}>
        {words.verdict.label}
      </h2>
      <span className={styles.icon}>
        <ToneIcon tone={tone} />
      </span>
      <div className={styles.words}>
        <p className={styles.sentence}>{sentenceOf(verdict, dates, Date.now())}</p>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      {help && (
        <div className={styles.help}>
          <Button look="primary" onClick={() => actions.choose({ kind: help, ...whom })}>
            {words.acts[help].button}
          </Button>
        </div>
      )}
    </section>
  )
}

const ToneIcon = ({ tone }: { tone: Tone }) => {
  switch (tone) {
    case 'good':
      return <SuccessIcon />
    case 'warning':
      return <WarningIcon />
    case 'bad':
      return <AlertIcon />
  }
}
