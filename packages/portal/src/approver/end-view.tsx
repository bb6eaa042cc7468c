import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { reasonText } from '@gatehouse/wire'
import type { Desk, End } from './approver-state.ts'
import { denied, words } from './words.ts'

type EndViewProps = { state: Extract<Desk, { is: 'Answered' }>; onDone: () => void }

/** What became of a question. */
export const EndView = ({ state: { end, question }, onDone }: EndViewProps) => {
  const { title, text } = saying(end, question.isEnrolment)
  return (
    <Statement
      key={title}
      focused
      title={title}
      actions={
        <Button look="primary" onClick={onDone}>
          {words.end.done}
        </Button>
      }
    >
      {text}
    </Statement>
  )
}

const saying = (end: End, isEnrolment: boolean) => {
  switch (end.is) {
    case 'Approved':
      return isEnrolment ? words.end.enrolled : words.end.approved
    case 'Denied':
      return denied(end.reason, isEnrolment) ?? words.end.other(reasonText(end.reason))
    case 'Expired':
      return words.end.expired
    case 'Gone':
      return words.end.notNeeded
  }
}

/** The account page, or an administrator, has taken this phone away. */
export const RemovedView = ({ username, onDone }: { username: string; onDone: () => void }) => (
  <Statement
    focused
    title={words.removed.title}
    actions={
      <Button look="primary" onClick={onDone}>
        {words.removed.done}
      </Button>
    }
  >
    {words.removed.text(username)}
  </Statement>
)
