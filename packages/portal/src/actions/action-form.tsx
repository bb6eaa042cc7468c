import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { WarningIcon } from '@gatehouse/ui/icons/status-icons.tsx'
import { type ReactNode, type Ref, useLayoutEffect, useRef } from 'react'
import { accountTexts } from '../messages/current.ts'
import { SubmitForm } from '../submit-form.tsx'
import styles from './action-form.module.css'
import type { Problem } from './action-state.ts'

/** Returns the text of a field. */
export type Typed = (name: string) => string

type ActionFormProps = {
  /** One sentence, or a list of effects. */
  text?: string | readonly string[]
  /** A serious effect, shown in its own box. */
  warning?: string | undefined
  /**
   * Whether the focus starts at the text, because the text says what to do before filling in the
   * fields.
   */
  readFirst?: boolean
  submit: string
  /** Whether the button is red, because the action removes or ends something. */
  danger?: boolean
  /** The button's label while the action runs; `undefined` when nothing runs. */
  running: string | undefined
  problem: Problem | undefined
  onSubmit: (typed: Typed) => void
  /** Another button that submits the form, for example with a passkey in place of the password. */
  instead?: { label: string; onSubmit: (typed: Typed) => void } | undefined
  onEdit: () => void
  onCancel: () => void
  /** The fields. Each one gets its error, and whether it is read-only. */
  children?: false | ((errorAt: (name: string) => string | undefined, readOnly: boolean) => ReactNode)
}

/**
 * The form in an action's dialog. The focus starts in its first field, or at ‘Cancel’ if the action
 * removes something and has no fields.
 */
export const ActionForm = ({
  text = [],
  warning,
  readFirst = false,
  submit,
  danger = false,
  running,
  problem,
  onSubmit,
  instead,
  onEdit,
  onCancel,
  children,
}: ActionFormProps) => {
  const words = useRef<HTMLParagraphElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)

  // The dialog opens in an effect that runs after this one and focuses its first button. The microtask runs after it and before the
  // browser paints, so that keys pressed immediately are not lost.
  useLayoutEffect(() => {
    queueMicrotask(() => {
      const first = readFirst ? words.current : form.current?.querySelector<HTMLElement>('input:not([hidden]), select')
      const start = first ?? (danger ? cancel.current : undefined)
      start?.focus()
    })
  }, [readFirst, danger])

  return (
    <>
      <Effects lines={typeof text === 'string' ? [text] : text} first={words} />
      {warning && (
        <p className={styles.warning}>
          <WarningIcon /> <span>{warning}</span>
        </p>
      )}
      <SubmitForm
        ref={form}
        className={danger ? styles.dangerForm : styles.form}
        label={running ?? submit}
        look={danger ? 'danger' : 'primary'}
        progress={running === undefined ? undefined : 'running'}
        problem={problem}
        send={form => onSubmit(typedIn(form))}
        onEdit={onEdit}
        beside={
          <>
            {instead && (
              <Button disabled={running !== undefined} onClick={() => form.current && instead.onSubmit(typedIn(form.current))}>
                {instead.label}
              </Button>
            )}
            <Button ref={cancel} onClick={onCancel}>
              {accountTexts.cancel}
            </Button>
          </>
        }
      >
        {children && (
          <div className={styles.fields}>
            {children(name => (problem?.at === name ? problem.message : undefined), running !== undefined)}
          </div>
        )}
      </SubmitForm>
    </>
  )
}

const typedIn = (form: HTMLFormElement): Typed => {
  const typed = new FormData(form)
  return name => String(typed.get(name) ?? '')
}

/** The effects of an action: a paragraph, or a list if there is more than one. */
const Effects = ({ lines, first }: { lines: readonly string[]; first: Ref<HTMLParagraphElement> }) => {
  if (lines.length === 0) return null
  if (lines.length === 1) {
    return (
      <p className={styles.text} ref={first} tabIndex={-1}>
        {lines[0]}
      </p>
    )
  }
  return (
    <ul className={styles.effects}>
      {lines.map(line => (
        <li key={line} className={styles.effect}>
          {line}
        </li>
      ))}
    </ul>
  )
}
