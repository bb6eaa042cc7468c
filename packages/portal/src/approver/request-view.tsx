import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { dateTimeFormat, type PendingChallenge } from '@gatehouse/wire'
import { type ReactNode, useRef, useState } from 'react'
import { english } from '../messages/en.ts'
import styles from './approver.module.css'
import type { Desk } from './approver-state.ts'
import { words } from './words.ts'

type QuestionViewProps = {
  state: Extract<Desk, { is: 'Asked' | 'Answering' }>
  onApprove: (number: string) => void
  onWrong: (message: string) => void
  onEdit: () => void
  onDoubt: () => void
}

const field = 'challenge-number'

/** Who asks, and the number that only the asking screen shows. */
export const QuestionView = ({ state, onApprove, onWrong, onEdit, onDoubt }: QuestionViewProps) => {
  const { question } = state
  const { isEnrolment } = question
  const problem = state.is === 'Asked' ? state.problem : undefined
  const approving = state.is === 'Answering'
  const number = useRef<HTMLInputElement>(null)

  useFocusReturn(approving, () => number.current?.focus())

  const submit = () => {
    const typed = digitsOf(number.current?.value ?? '')
    if (typed.length === 6) return onApprove(typed)
    onWrong(words.question.notSixDigits)
    number.current?.focus()
  }

  return (
    <>
      <Title focused>{isEnrolment ? words.question.enrolmentTitle : words.question.title}</Title>
      <Text>{isEnrolment ? words.question.enrolmentAsks : words.question.asks}</Text>
      <Facts question={question} />
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <ErrorPanel title={english.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        <div className={styles.fields}>
          <Field
            ref={number}
            label={words.question.number}
            look="code"
            type="text"
            name={field}
            inputMode="numeric"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            pattern="[0-9]{6}"
            required
            readOnly={approving}
            error={problem?.at === 'number' ? problem.message : undefined}
            onInput={event => {
              const input = event.currentTarget
              const typed = digitsOf(input.value).slice(0, 6)
              if (typed !== input.value) input.value = typed
              onEdit()
            }}
          />
          <p className={styles.note}>{words.question.numberHint}</p>
        </div>
        <Button look="primary" type="submit" progress={approving ? 'running' : undefined}>
          {approving ? words.question.approving : words.question.approve}
        </Button>
        <Announced>{approving && words.question.approving}</Announced>
      </form>
      <div className={styles.below}>
        <Button disabled={approving} onClick={onDoubt}>
          {words.question.deny}
        </Button>
      </div>
    </>
  )
}

type DoubtViewProps = {
  state: Extract<Desk, { is: 'Doubting' | 'Answering' }>
  onDeny: () => void
  onBack: () => void
}

/** 'This was not me' is asked about once, for it has consequences. */
export const DoubtView = ({ state, onDeny, onBack }: DoubtViewProps) => {
  const denying = state.is === 'Answering'
  return (
    <>
      <Title focused>{words.doubt.title}</Title>
      <Text>{words.doubt.text}</Text>
      <div className={styles.form}>
        <Button look="primary" progress={denying ? 'running' : undefined} onClick={onDeny}>
          {denying ? words.doubt.denying : words.doubt.deny}
        </Button>
        <Announced>{denying && words.doubt.denying}</Announced>
      </div>
      <div className={styles.links}>
        <LinkButton disabled={denying} onClick={onBack}>
          {words.doubt.back}
        </LinkButton>
      </div>
    </>
  )
}

const Facts = ({ question: { username, from, challengeDateCreated, challengeExpires, isEnrolment } }: { question: PendingChallenge }) => (
  <dl className={styles.facts}>
    <Fact name={words.question.account}>{username}</Fact>
    {!isEnrolment && (
      <>
        <Fact name={words.question.device}>{words.device(from.browser, from.system)}</Fact>
        <Fact name={words.question.place}>
          {from.address}
          <span className={styles.quiet}>{words.place[from.place]}</span>
        </Fact>
        <Fact name={words.question.since}>{dateTimeFormat().timeSeconds(challengeDateCreated)}</Fact>
      </>
    )}
    <Fact name={words.question.left}>
      <TimeLeft until={challengeExpires} />
    </Fact>
  </dl>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Longest that a question is open, in seconds; a phone whose clock goes wrong shows no more. */
const longest = 120

const TimeLeft = ({ until }: { until: string }) => {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 1)
  const left = Math.min(longest, Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)))
  return <>{left > 0 ? words.question.timeLeft(Math.floor(left / 60), left % 60) : words.question.over}</>
}

const digitsOf = (text: string) => text.replace(/\D/g, '')
