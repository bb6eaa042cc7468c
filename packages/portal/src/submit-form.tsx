import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { signInTexts } from './messages/current.ts'
import styles from './submit-form.module.css'

type SubmitFormProps = {
  ref?: RefObject<HTMLFormElement | null>
  className?: string | undefined
  /** The label of the button, also while the call runs. */
  label: string
  /** `danger` for an action that removes or ends something. */
  look?: 'primary' | 'danger'
  progress?: 'running' | 'done' | undefined
  /** A problem to show. `at` is the name of its field, or 'page'. Pass the same object until the next problem. */
  problem: { at: string; message: string } | undefined
  /** Undefined if the browser posts the form. */
  send: ((form: HTMLFormElement) => void) | undefined
  onEdit?: () => void
  /** Other buttons, after the form’s own. */
  beside?: ReactNode
  /** The fields. */
  children?: ReactNode
}

/** A form with one button. The focus goes to the field that is wrong, or back to the button after a call. */
export const SubmitForm = ({
  ref,
  className,
  label,
  look = 'primary',
  progress,
  problem,
  send,
  onEdit,
  beside,
  children,
}: SubmitFormProps) => {
  const own = useRef<HTMLFormElement>(null)
  const form = ref ?? own
  const button = useRef<HTMLButtonElement>(null)
  const field = () => (problem ? form.current?.querySelector<HTMLElement>(`[name="${problem.at}"]`) : null)

  useFocusReturn(progress !== undefined, () => (field() ?? button.current)?.focus())
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each problem
  useEffect(() => field()?.focus(), [problem])

  return (
    <Form ref={form} className={className} noValidate onInput={onEdit} send={send}>
      <ErrorPanel title={signInTexts.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
      {children}
      <div className={styles.buttons}>
        <Button ref={button} look={look} type="submit" progress={progress}>
          {label}
        </Button>
        {beside}
      </div>
      <Announced>{progress && label}</Announced>
    </Form>
  )
}
