import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import type { ChallengeRespondedReason } from '@gatehouse/wire'
import { approverTexts as words } from '../messages/current.ts'
import type { ApproverState, End } from './approver-state.ts'

type EndViewProps = { state: Extract<ApproverState, { is: 'Answered' }>; onDone: () => void }

/** The result of a request. */
export const EndView = ({ state: { end, request }, onDone }: EndViewProps) => {
  const { title, text } = saying(end, request.isEnrolment)
  return (
    <Statement
      key={title}
      status={statusOf(end)}
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
      return denied(end.reason, isEnrolment)
    case 'Expired':
      return words.end.expired
    case 'Gone':
      return words.end.notNeeded
  }
}

/** Why a request was denied. */
const denied = ({ tag }: ChallengeRespondedReason, isEnrolment: boolean) => {
  switch (tag) {
    case 'InvalidCode':
      return words.end.wrongNumber
    case 'NotRequested':
      return isEnrolment ? words.end.stoppedEnrolment : words.end.stopped
    case 'NotNeeded':
      return words.end.notNeeded
    case 'ReasonNone':
    case 'MissingSecret':
    case 'WrongFactorType':
      return { title: words.end.other.title, text: words.end.other.reasons[tag] }
  }
}

const statusOf = (end: End) => {
  switch (end.is) {
    case 'Approved':
      return 'done'
    case 'Denied':
      return 'stopped'
    case 'Expired':
    case 'Gone':
      return 'expired'
  }
}

/** The user removed this phone on the account page, or an administrator did. */
export const RemovedView = ({ username, onDone }: { username: string; onDone: () => void }) => (
  <Statement
    status="stopped"
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
