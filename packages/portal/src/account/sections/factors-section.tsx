import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts, portalTexts } from '../../messages/current.ts'
import { namesText } from '../../messages/intl.ts'
import {
  addButtons,
  type FactorAction,
  factorProblem,
  isLastRequired,
  nameOf,
  provisionalName,
  readCode,
  removalText,
  tagOf,
  titleOf,
} from '../factor-actions.ts'
import { FactorTimes } from '../factor-times.tsx'
import { FirstCodeForm } from '../first-code-form.tsx'
import { PhoneEnrolment } from '../phone-enrolment.tsx'
import styles from '../section.module.css'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import { isPasskey } from './passkeys-section.tsx'

export type FactorsProps = SectionProps & {
  account: Pick<OwnAccount, 'factors' | 'mayChangeFactors' | 'mayBeWithout' | 'mostFactors' | 'providers' | 'skipsUsed' | 'userTZLabel'>
  api: Pick<
    PortalApi,
    | 'userFactorAdd'
    | 'userFactorAddPush'
    | 'userFactorPushAgain'
    | 'userFactorPushProgress'
    | 'userFactorRemove'
    | 'userFactorRename'
    | 'userFactorVerify'
  >
}

const words = () => accountTexts.factors

/** The second factors of an account: add, rename, remove. */
export const FactorsSection = (props: FactorsProps) => {
  const { account, hasPassword, username, api, leave } = props
  const { factors, mayChangeFactors, mayBeWithout, mostFactors, providers, skipsUsed, userTZLabel } = account
  const actions = useActions<FactorAction>(props)
  // Passkeys have their own section.
  const listed = factors.filter(factor => !isPasskey(factor))
  const isFull = listed.length >= mostFactors
  const isLast = (factor: (typeof factors)[number]) => isLastRequired(factors, factor)
  const stays = (factor: (typeof factors)[number]) => isLast(factor) && !mayBeWithout
  const linked = providers.filter(way => way.linked).map(way => portalTexts.account.providers[way.provider])

  const submit = (action: FactorAction, typed: (name: string) => string) => {
    const name = typed('factorFriendlyName').trim()
    switch (action.is) {
      case 'Add':
        if (name === '') return actions.fail({ at: 'factorFriendlyName', message: words().add.nameMissing })
        return actions.start(async signal => {
          const request = {
            factorCreationRequestIdentity: username,
            factorCreationRequestFriendlyName: name,
            factorCreationRequestFactorType: 'TOTP',
          } as const
          const reply = await api.userFactorAdd(request, signal)
          return reply.ok
            ? { next: { is: 'Scan', factor: reply.value } as const }
            : { failure: reply.failure, problem: factorProblem(reply.failure) }
        })
      case 'Scan': {
        const code = readCode(typed('otp'))
        if (code === undefined) return actions.fail({ at: 'otp', message: words().notSixDigits })
        const request = { verifyTOTPFactorRequestFactorUUID: action.factor.factorUUID, verifyTOTPFactorRequestCode: code }
        return actions.start(async signal => outcomeOf(await api.userFactorVerify(request, signal), words().add.done, factorProblem))
      }
      case 'AddPhone':
        return actions.start(async signal => {
          const request = {
            factorCreationRequestIdentity: username,
            factorCreationRequestFriendlyName: provisionalName(factors),
            factorCreationRequestFactorType: 'Push',
          } as const
          const reply = await api.userFactorAddPush(request, signal)
          return reply.ok
            ? { next: { is: 'Enrol', link: reply.value } as const }
            : { failure: reply.failure, problem: factorProblem(reply.failure) }
        })
      case 'Enrol':
        // The phone has completed the set-up, so no call is left: the page only shows the result.
        return actions.start(async () => ({ message: words().phone.done }))
      case 'Rename': {
        if (name === '') return actions.fail({ at: 'factorFriendlyName', message: words().add.nameMissing })
        const request = { factorUUID: action.factor.factorUUID, factorFriendlyName: name }
        return actions.start(async signal => outcomeOf(await api.userFactorRename(request, signal), words().rename.done, factorProblem))
      }
      case 'Remove': {
        const { factorUUID } = action.factor
        const message = words().remove.done(nameOf(action.factor))
        return actions.start(async signal => outcomeOf(await api.userFactorRemove({ factorUUID }, signal), message, factorProblem))
      }
    }
  }

  return (
    <Section
      id="second-factor"
      title={words().title}
      text={words().text}
      message={actions.message}
      actions={
        mayChangeFactors &&
        !isFull && (
          <div className={styles.actions}>
            {Object.values(addButtons()).map(({ label, action }) => (
              <ActionButton key={action.is} label={label} onClick={() => actions.choose(action)} />
            ))}
          </div>
        )
      }
    >
      <Rows>
        {factors.length === 0 && (
          <Row
            name={hasPassword ? words().none : words().noneWithoutPassword(namesText(linked), linked.length)}
            details={skipsUsed > 0 ? [words().skipped(skipsUsed)] : []}
          />
        )}
        {factors.length > 0 && listed.length === 0 && <Row name={words().onlyPasskeys} />}
        {listed.map(factor => {
          const { factorUUID, factorFactorType, factorDateCreated, factorDateLastUsed } = factor
          const name = nameOf(factor)
          const tag = factorFactorType && tagOf(factorFactorType)
          return (
            <Row
              key={factorUUID}
              name={
                tag ? (
                  <>
                    <bdi>{name}</bdi> <Tag>{tag}</Tag>
                  </>
                ) : (
                  <bdi>{name}</bdi>
                )
              }
              details={[
                <FactorTimes key="times" added={factorDateCreated} used={factorDateLastUsed} zone={userTZLabel} />,
                ...(stays(factor) ? [words().lastStays] : []),
              ]}
              actions={
                <>
                  <ActionButton
                    label={words().rename.open}
                    of={words().rename.of(name)}
                    onClick={() => actions.choose({ is: 'Rename', factor })}
                  />
                  {mayChangeFactors && !stays(factor) && (
                    <ActionButton
                      danger
                      label={words().remove.open}
                      of={words().remove.of(name)}
                      onClick={() => actions.choose({ is: 'Remove', factor, isLast: isLast(factor) })}
                    />
                  )}
                </>
              }
            />
          )
        })}
        {isFull && mayChangeFactors && <Row name={words().most(mostFactors)} />}
        {!mayChangeFactors && <Row name={hasPassword ? words().lower : words().lowerWithoutPassword} />}
      </Rows>
      <ActionDialog
        actions={actions}
        username={username}
        title={titleOf}
        hasQrCode={action => action.is === 'Scan' || action.is === 'Enrol'}
      >
        {(action, { problem, isRunning }) => {
          const form = {
            problem,
            onSubmit: (typed: (name: string) => string) => void submit(action, typed),
            onEdit: actions.edit,
            onCancel: actions.close,
          }
          switch (action.is) {
            case 'Scan':
              return <FirstCodeForm key="scan" {...form} factor={action.factor} isRunning={isRunning} />
            case 'Enrol':
              return (
                <PhoneEnrolment
                  key={action.link.factorUUID}
                  link={action.link}
                  api={api}
                  onVerified={() => void submit(action, () => '')}
                  onSignedOut={leave}
                  onCancel={actions.close}
                />
              )
            case 'AddPhone':
              return (
                <ActionForm
                  key="phone"
                  {...form}
                  text={words().phone.text}
                  submit={words().phone.submit}
                  running={isRunning ? words().phone.running : undefined}
                />
              )
            case 'Remove':
              return (
                <ActionForm
                  key="remove"
                  {...form}
                  text={removalText(action)}
                  warning={action.isLast ? words().remove.warningOfLast : undefined}
                  danger
                  submit={words().remove.submit}
                  running={isRunning ? words().remove.running : undefined}
                />
              )
            case 'Add':
            case 'Rename': {
              const { submit, running } = action.is === 'Add' ? words().add : words().rename
              return (
                <ActionForm
                  key="name"
                  {...form}
                  {...(action.is === 'Add' && { text: words().add.text })}
                  submit={submit}
                  running={isRunning ? running : undefined}
                >
                  {(errorAt, readOnly) => (
                    <Field
                      label={words().add.name}
                      caption={words().add.nameHint}
                      name="factorFriendlyName"
                      autoComplete="off"
                      maxLength={64}
                      required
                      readOnly={readOnly}
                      defaultValue={action.is === 'Rename' ? nameOf(action.factor) : ''}
                      error={errorAt('factorFriendlyName')}
                    />
                  )}
                </ActionForm>
              )
            }
          }
        }}
      </ActionDialog>
    </Section>
  )
}
