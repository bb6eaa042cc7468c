import { asciiDigits } from '@gatehouse/language/digits.ts'
import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { codeLook } from '@gatehouse/ui/fields/code-field.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { dateTimeFormat, type PendingChallenge, type Place } from '@gatehouse/wire'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { language, signInTexts, approverTexts as words } from '../messages/current.ts'
import styles from './approver.module.css'
import type { ApproverState } from './approver-state.ts'

type RequestViewProps = {
  state: Extract<ApproverState, { is: 'Requested' | 'Answering' }>
  onApprove: (number: string) => void
  onWrong: (message: string) => void
  onEdit: () => void
  onDenyChosen: () => void
}

const field = 'challenge-number'

/** Shows where the sign-in comes from, and asks for the number, which only the other screen shows. */
export const RequestView = ({ state, onApprove, onWrong, onEdit, onDenyChosen }: RequestViewProps) => {
  const { request } = state
  const { isEnrolment } = request
  const problem = state.is === 'Requested' ? state.problem : undefined
  const approving = state.is === 'Answering'
  const number = useRef<HTMLInputElement>(null)
  const facts = useId()
  const title = isEnrolment ? words.request.enrolmentTitle : words.request.title

  // Focus without scrolling: the top of the page says who is signing in. The form's name and description tell screen readers.
  useEffect(() => number.current?.focus({ preventScroll: true }), [])
  useFocusReturn(approving, () => number.current?.focus())

  const submit = () => {
    const typed = digitsOf(number.current?.value ?? '')
    if (typed.length === 6) return onApprove(typed)
    onWrong(words.request.notSixDigits)
    number.current?.focus()
  }

  return (
    <>
      <div className={styles.titleRow}>
        <Title>{title}</Title>
        <TimeLeft until={request.challengeExpires} />
      </div>
      <Text>{isEnrolment ? words.request.enrolmentAsks : words.request.asks}</Text>
      <Facts id={facts} request={request} />
      <form
        aria-label={title}
        aria-describedby={facts}
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <ErrorPanel title={signInTexts.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        <div className={styles.fields}>
          <Field
            ref={number}
            label={words.request.number}
            inputClass={codeLook}
            type="text"
            dir="ltr"
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
          <p className={styles.note}>{words.request.numberHint}</p>
        </div>
        <Button look="primary" type="submit" progress={approving ? 'running' : undefined}>
          {approving ? words.request.approving : words.request.approve}
        </Button>
        <Announced>{approving && words.request.approving}</Announced>
      </form>
      <div className={styles.below}>
        <Button look="danger" disabled={approving} onClick={onDenyChosen}>
          {words.request.deny}
        </Button>
      </div>
    </>
  )
}

type DenyViewProps = {
  state: Extract<ApproverState, { is: 'ConfirmingDenial' | 'Answering' }>
  onDeny: () => void
  onBack: () => void
}

/** Asks the user to confirm 'This was not me', because it has consequences. */
export const DenyView = ({ state, onDeny, onBack }: DenyViewProps) => {
  const denying = state.is === 'Answering'
  return (
    <>
      <Title focused>{words.denial.title}</Title>
      <Text>{words.denial.text}</Text>
      <div className={styles.form}>
        <Button look="danger" progress={denying ? 'running' : undefined} onClick={onDeny}>
          {denying ? words.denial.denying : words.denial.deny}
        </Button>
        <Announced>{denying && words.denial.denying}</Announced>
      </div>
      <div className={styles.links}>
        <LinkButton disabled={denying} onClick={onBack}>
          {words.denial.back}
        </LinkButton>
      </div>
    </>
  )
}

type FactsProps = { id: string; request: PendingChallenge }

const Facts = ({ id, request: { username, from, challengeDateCreated, isEnrolment } }: FactsProps) => (
  <dl className={styles.facts} id={id}>
    <Fact name={words.request.account}>
      <bdi>{username}</bdi>
    </Fact>
    {!isEnrolment && (
      <>
        <Fact name={words.request.device}>{deviceText(from)}</Fact>
        <Fact name={words.request.place}>
          <span className={styles.place}>
            <bdi>{from.address}</bdi>
            <span className={styles.quiet}>
              {isElsewhere(from.place) ? <Tag tone="amber">{words.place[from.place]}</Tag> : words.place[from.place]}
            </span>
          </span>
        </Fact>
        <Fact name={words.request.since}>{dateTimeFormat(undefined, language).timeSeconds(challengeDateCreated)}</Fact>
      </>
    )}
  </dl>
)

const deviceText = ({ browser, system }: PendingChallenge['from']) => {
  if (browser == null) return words.unknownBrowser
  return system == null ? browser : words.device(browser, system)
}

/** Whether the sign-in may come from a stranger. */
const isElsewhere = (place: Place) => place === 'Elsewhere' || place === 'Unknown'

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** How long a request stays open, in seconds. A phone with a wrong clock shows no more than that. */
const longest = 120

/** When at most this many seconds remain, the time left is amber. */
const little = 30

const TimeLeft = ({ until }: { until: string }) => {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 1)
  const left = Math.min(longest, Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)))
  if (left === 0) return <p className={styles.leftLittle}>{words.request.over}</p>
  return (
    <p className={left > little ? styles.left : styles.leftLittle}>
      {words.request.left} <bdi className={styles.clock}>{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</bdi>
    </p>
  )
}

/** Keyboards of some languages have their own digits. */
const digitsOf = (text: string) => asciiDigits(text).replace(/\D/g, '')
