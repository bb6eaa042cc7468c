import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { english } from '../messages/en.ts'
import { englishAccount } from '../messages/en-account.ts'
import styles from './action-form.module.css'
import type { Problem } from './action-state.ts'

type ActFormProps = {
  text?: string
  /** Whether the focus begins at the text, because what is to be done first stands above the fields. */
  readFirst?: boolean
  submit: string
  /** What the button says while it runs; `undefined` when nothing does. */
  running: string | undefined
  problem: Problem | undefined
  /** What was typed, by the names of the fields. */
  onSubmit: (typed: (name: string) => string) => void
  onEdit: () => void
  onCancel: () => void
  /** The fields; each is told what is wrong with it, and whether it may be typed into. */
  children?: (errorAt: (name: string) => string | undefined, readOnly: boolean) => ReactNode
}

/** What an act wants to know, in its window, with the focus where it is typed. */
export const ActForm = ({ text, readFirst = false, submit, running, problem, onSubmit, onEdit, onCancel, children }: ActFormProps) => {
  const words = useRef<HTMLParagraphElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const named = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)

  useFocusReturn(running !== undefined, () => ((problem && named(problem.at)) ?? button.current)?.focus())

  // The window around is shown by an effect that comes after this one, and puts the focus on its first button. Both come before
  // anything can be seen: keys that are pressed at once are not lost.
  useLayoutEffect(() => {
    queueMicrotask(() => {
      const first = readFirst ? words.current : form.current?.querySelector<HTMLElement>('input:not([hidden]), select')
      first?.focus()
    })
  }, [readFirst])
  useLayoutEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>(`[name="${problem.at}"]`)?.focus()
  }, [problem])

  return (
    <>
      {text && (
        <p className={styles.text} ref={words} tabIndex={-1}>
          {text}
        </p>
      )}
      <Form
        ref={form}
        className={styles.form}
        noValidate
        onInput={onEdit}
        send={form => {
          const typed = new FormData(form)
          onSubmit(name => String(typed.get(name) ?? ''))
        }}
      >
        <ErrorPanel title={english.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        {children && (
          <div className={styles.fields}>
            {children(name => (problem?.at === name ? problem.message : undefined), running !== undefined)}
          </div>
        )}
        <Button ref={button} look="primary" type="submit" progress={running === undefined ? undefined : 'running'}>
          {running ?? submit}
        </Button>
        <Announced>{running}</Announced>
      </Form>
      <div className={styles.cancel}>
        <LinkButton onClick={onCancel}>{englishAccount.cancel}</LinkButton>
      </div>
    </>
  )
}
