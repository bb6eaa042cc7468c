import type { ReactNode } from 'react'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import type { Actions } from '../../actions/use-actions.ts'
import { ActionButton, Row, Rows, Section } from '../section.tsx'

type ChoiceSectionProps = {
  id: string
  words: { heading: string; label: string; open: string; title: string; text: string; submit: string; running: string }
  username: string
  actions: Actions<'change'>
  /** Whether the page is about to load again. */
  isLeaving?: boolean
  /** The current value, as users read it. */
  current: ReactNode
  /** The name of the field. */
  name: string
  /** Sends the chosen value. */
  change: (value: string) => void
  /** Called only while the dialog is open, so never on the server. */
  field: () => ReactNode
}

/** A section with one setting, and a dialog to choose another value. */
export const ChoiceSection = ({ id, words, username, actions, isLeaving = false, current, name, change, field }: ChoiceSectionProps) => (
  <Section
    id={id}
    title={words.heading}
    message={actions.message}
    actions={<ActionButton label={words.open} onClick={() => actions.choose('change')} />}
  >
    <Rows>
      <Row name={current} details={[words.label]} />
    </Rows>
    <ActionDialog actions={actions} username={username} title={() => words.title}>
      {(_, { problem, isRunning }) => (
        <ActionForm
          text={words.text}
          submit={words.submit}
          running={isRunning || isLeaving ? words.running : undefined}
          problem={problem}
          onSubmit={typed => change(typed(name))}
          onEdit={actions.edit}
          onCancel={actions.close}
        >
          {field}
        </ActionForm>
      )}
    </ActionDialog>
  </Section>
)
