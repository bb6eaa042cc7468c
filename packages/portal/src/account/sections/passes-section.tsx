import { dateTimeFormat, type OwnPasses } from '@gatehouse/wire'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm, type Typed } from '../../actions/action-form.tsx'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts, language } from '../../messages/current.ts'
import { withElements } from '../../messages/with-elements.tsx'
import { PassFields } from '../../passes/pass-fields.tsx'
import { limitsText, passProblem, readPassForm } from '../../passes/pass-form.ts'
import { CopyableText } from '../copyable-text.tsx'
import styles from '../section.module.css'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import { ShownOnce } from '../shown-once.tsx'
import { TimeAgo } from '../time-ago.tsx'

type Listed = OwnPasses['passes'][number]
type PassAction = { is: 'Create' } | { is: 'Shown'; pass: string } | { is: 'End'; pass: Listed }

export type PassesProps = SectionProps & {
  own: OwnPasses
  timeZone: string
  api: Pick<PortalApi, 'userPassAdd' | 'userPassEnd'>
}

const words = () => accountTexts.passes

const titleOf = (action: PassAction): string => {
  switch (action.is) {
    case 'Create':
      return words().add.title
    case 'Shown':
      return words().shown.title
    case 'End':
      return words().end.title(action.pass.name)
  }
}

/** The passes with which the user's programs reach protected applications. */
export const PassesSection = (props: PassesProps) => {
  const { own, timeZone, username, api } = props
  const { passes, origins, most } = own
  const actions = useActions<PassAction>(props)
  const isFull = passes.length >= most

  const create = (typed: Typed) => {
    const request = readPassForm(typed, timeZone)
    if ('at' in request) return actions.fail(request)
    void actions.start(async signal => {
      const reply = await api.userPassAdd(request, signal)
      if (!reply.ok) return { failure: reply.failure, problem: passProblem(reply.failure, words().most(most)) }
      return { next: { is: 'Shown', pass: reply.value.pass } }
    })
  }

  const end = ({ passId }: Listed) =>
    void actions.start(async signal => {
      const reply = await api.userPassEnd({ passId }, signal)
      // 404: the pass has already ended.
      return !reply.ok && reply.failure.status === 404 ? { message: words().end.done } : outcomeOf(reply, words().end.done)
    })

  return (
    <Section
      id="passes"
      title={words().title}
      text={isFull ? words().most(most) : origins.length > 0 ? words().text : words().noRule}
      message={actions.message}
      actions={!isFull && origins.length > 0 && <ActionButton label={words().add.open} onClick={() => actions.choose({ is: 'Create' })} />}
    >
      <Rows>
        {passes.length === 0 && <Row name={words().none} />}
        {passes.map(pass => (
          <Row
            key={pass.passId}
            name={<bdi>{pass.name}</bdi>}
            details={[
              ...pass.to.map(address => (
                <bdi key={address} className={styles.fact}>
                  {address}
                </bdi>
              )),
              limitsText(pass),
            ]}
            more={[
              <span key="times" className={styles.fact}>
                {withElements(
                  words().times,
                  <TimeAgo at={pass.created} zone={timeZone} />,
                  dateTimeFormat(timeZone, language).dateTime(pass.expires),
                )}
              </span>,
              <LastUse key="use" used={pass.used} from={pass.usedFrom} zone={timeZone} />,
            ]}
            actions={
              <ActionButton
                danger
                label={words().end.open}
                of={words().end.of(pass.name)}
                onClick={() => actions.choose({ is: 'End', pass })}
              />
            }
          />
        ))}
      </Rows>
      <ActionDialog actions={actions} username={username} title={titleOf}>
        {(action, { problem, isRunning }) => {
          const form = { problem, onEdit: actions.edit, onCancel: actions.close }
          switch (action.is) {
            case 'Create':
              return (
                <ActionForm
                  {...form}
                  text={words().add.text}
                  submit={words().add.submit}
                  running={isRunning ? words().add.running : undefined}
                  onSubmit={create}
                >
                  {(errorAt, readOnly) => <PassFields origins={origins} timeZone={timeZone} errorAt={errorAt} readOnly={readOnly} />}
                </ActionForm>
              )
            case 'Shown':
              return (
                <ShownOnce text={words().shown.text} saved={words().shown.saved} onSaved={actions.close}>
                  <CopyableText text={action.pass} words={words().shown} />
                </ShownOnce>
              )
            case 'End':
              return (
                <ActionForm
                  {...form}
                  danger
                  text={words().end.text}
                  submit={words().end.submit}
                  running={isRunning ? words().end.running : undefined}
                  onSubmit={() => end(action.pass)}
                />
              )
          }
        }}
      </ActionDialog>
    </Section>
  )
}

const LastUse = ({ used, from, zone }: { used: Listed['used']; from: Listed['usedFrom']; zone: string }) => {
  if (used == null) return words().neverUsed
  const since = <TimeAgo at={used} zone={zone} />
  return from == null ? withElements(words().used, since) : withElements(words().usedFrom, since, from)
}
