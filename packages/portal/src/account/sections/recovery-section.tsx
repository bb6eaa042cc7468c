import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import { useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import { factorProblem } from '../factor-actions.ts'
import { type CodeDevice, RecoveryCodeList } from '../recovery-code-list.tsx'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import { ShownOnce } from '../shown-once.tsx'

type RecoveryAction = { is: 'Make' } | { is: 'Shown'; codes: string[] }

export type RecoveryProps = SectionProps &
  CodeDevice & {
    left: number
    hasFactor: boolean
    mayChangeFactors: boolean
    api: Pick<PortalApi, 'userRecoveryCodesAnew'>
  }

const words = () => accountTexts.recovery

/** How many recovery codes are left, and a button that replaces them. */
export const RecoverySection = (props: RecoveryProps) => {
  const { left, hasFactor, mayChangeFactors, username, api } = props
  const actions = useActions<RecoveryAction>(props)

  const make = () =>
    void actions.start(async signal => {
      const reply = await api.userRecoveryCodesAnew(signal)
      return reply.ok
        ? { next: { is: 'Shown', codes: reply.value.recoveryCodes } }
        : { failure: reply.failure, problem: factorProblem(reply.failure) }
    })

  return (
    <Section
      id="recovery-codes"
      title={words().heading}
      actions={hasFactor && mayChangeFactors && <ActionButton label={words().open} onClick={() => actions.choose({ is: 'Make' })} />}
    >
      <Rows>
        <Row name={hasFactor ? words().left(left) : words().first} details={hasFactor && left > 0 ? [words().each] : []} />
      </Rows>
      <ActionDialog actions={actions} username={username} title={action => (action.is === 'Make' ? words().title : words().shownTitle)}>
        {(action, { problem, isRunning }) =>
          action.is === 'Make' ? (
            <ActionForm
              text={words().text}
              submit={words().submit}
              running={isRunning ? words().running : undefined}
              problem={problem}
              onSubmit={make}
              onEdit={actions.edit}
              onCancel={actions.close}
            />
          ) : (
            <ShownOnce text={words().done} saved={words().saved} onSaved={actions.close}>
              <RecoveryCodeList codes={action.codes} save={props.save} print={props.print} />
            </ShownOnce>
          )
        }
      </ActionDialog>
    </Section>
  )
}
