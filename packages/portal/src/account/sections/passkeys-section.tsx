import { Field } from '@gatehouse/ui/fields/field.tsx'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import { factorProblem, isLastRequired, passkeyUse, removalText, signsInAlone } from '../factor-actions.ts'
import { FactorTimes } from '../factor-times.tsx'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'

type Listed = OwnAccount['factors'][number]
type PasskeyAction = { is: 'Add' } | { is: 'Rename'; factor: Listed } | { is: 'Remove'; factor: Listed; isLast: boolean }

export type PasskeysProps = SectionProps & {
  account: Pick<OwnAccount, 'factors' | 'hasPassword' | 'providers' | 'mayChangeFactors' | 'mayBeWithout' | 'mostPasskeys' | 'userTZLabel'>
  api: Pick<PortalApi, 'userFactorRemove' | 'userFactorRename'>
}

const words = () => accountTexts.passkeys

export const isPasskey = ({ factorFactorType }: Listed) => factorFactorType === 'Passkey'

const titleOf = (action: PasskeyAction) => {
  switch (action.is) {
    case 'Add':
      return words().add.title
    case 'Rename':
      return words().rename
    case 'Remove':
      return accountTexts.factors.remove.title(action.factor.factorFriendlyName)
  }
}

/** What the passkey cannot be used for, if anything. */
const limitsOf = (factor: Listed): string[] => {
  switch (passkeyUse(factor)) {
    case 'SecondFactor':
      return [words().secondFactorOnly]
    case 'None':
      return [words().unusable]
    case 'SignIn':
    case undefined:
      return []
  }
}

/**
 * The passkeys of an account: add, rename, remove. Each change also updates the password manager.
 */
export const PasskeysSection = (props: PasskeysProps) => {
  const { account, username, api, passkeys } = props
  const { factors, hasPassword, providers, mayChangeFactors, mayBeWithout, userTZLabel } = account
  const most = account.mostPasskeys ?? 0
  const actions = useActions<PasskeyAction>(props)
  const listed = factors.filter(isPasskey)
  const hasOtherWay = hasPassword || providers.some(({ linked }) => linked) || listed.filter(signsInAlone).length > 1
  const hydrated = useHydrated()
  const isSupported = hydrated && passkeys?.isSupported() === true
  const isFull = listed.length >= most
  const { remove, rename, add: factorWords } = accountTexts.factors

  const submit = (action: PasskeyAction, typed: (name: string) => string) => {
    switch (action.is) {
      case 'Add':
        return actions.start(async signal => {
          const reply = (await passkeys?.add(signal)) ?? 'Failed'
          if (typeof reply === 'string') return { problem: { at: 'page', message: words().add.none[reply] } }
          if (reply.ok) return { message: words().add.done(reply.value.factorFriendlyName) }
          const isTaken = reply.failure.status === 409
          return { failure: reply.failure, ...(isTaken && { problem: { at: 'page', message: words().add.refused } }) }
        })
      case 'Rename': {
        const name = typed('factorFriendlyName').trim()
        if (name === '') return actions.fail({ at: 'factorFriendlyName', message: factorWords.nameMissing })
        const request = { factorUUID: action.factor.factorUUID, factorFriendlyName: name }
        return actions.start(async signal => outcomeOf(await api.userFactorRename(request, signal), rename.done, factorProblem))
      }
      case 'Remove': {
        const { factorUUID, factorFriendlyName } = action.factor
        return actions.start(async signal => {
          const reply = await api.userFactorRemove({ factorUUID }, signal)
          if (reply.ok) void passkeys?.tidy()
          return outcomeOf(reply, remove.done(factorFriendlyName), factorProblem)
        })
      }
    }
  }

  return (
    <Section
      id="passkeys"
      title={words().title}
      text={words().text}
      message={actions.message}
      actions={
        mayChangeFactors &&
        isSupported &&
        !isFull && <ActionButton label={words().add.open} onClick={() => actions.choose({ is: 'Add' })} />
      }
    >
      <Rows>
        {listed.length === 0 && <Row name={words().none} details={hydrated && !isSupported ? [words().unsupported] : []} />}
        {listed.map(factor => {
          const { factorUUID, factorFriendlyName: name, factorDateCreated, factorDateLastUsed, passkey } = factor
          const isLast = isLastRequired(factors, factor)
          const stays = isLast && !mayBeWithout
          const isLastWay = signsInAlone(factor) && !hasOtherWay
          return (
            <Row
              key={factorUUID}
              name={
                <>
                  <bdi>{name}</bdi> <Tag>{passkey?.synced ? words().synced : words().bound}</Tag>
                </>
              }
              details={[
                <FactorTimes key="times" added={factorDateCreated} used={factorDateLastUsed} zone={userTZLabel} />,
                ...limitsOf(factor),
                ...(passkey?.optional ? [words().automatic] : []),
                ...(isLastWay ? [accountTexts.factors.lastWay] : stays ? [accountTexts.factors.lastStays] : []),
              ]}
              actions={
                <>
                  <ActionButton label={rename.open} of={rename.of(name)} onClick={() => actions.choose({ is: 'Rename', factor })} />
                  {mayChangeFactors && !stays && !isLastWay && (
                    <ActionButton
                      danger
                      label={remove.open}
                      of={remove.of(name)}
                      onClick={() => actions.choose({ is: 'Remove', factor, isLast })}
                    />
                  )}
                </>
              }
            />
          )
        })}
        {isFull && listed.length > 0 && mayChangeFactors && <Row name={words().most(most)} />}
      </Rows>
      <ActionDialog actions={actions} username={username} title={titleOf}>
        {(action, { problem, isRunning }) => {
          const form = {
            problem,
            onSubmit: (typed: (name: string) => string) => void submit(action, typed),
            onEdit: actions.edit,
            onCancel: actions.close,
          }
          switch (action.is) {
            case 'Add':
              return (
                <ActionForm
                  key="add"
                  {...form}
                  text={words().add.text}
                  submit={words().add.submit}
                  running={isRunning ? words().add.running : undefined}
                />
              )
            case 'Remove':
              return (
                <ActionForm
                  key="remove"
                  {...form}
                  text={removalText(action)}
                  warning={action.isLast ? remove.warningOfLast : undefined}
                  danger
                  submit={remove.submit}
                  running={isRunning ? remove.running : undefined}
                />
              )
            case 'Rename':
              return (
                <ActionForm key="rename" {...form} submit={rename.submit} running={isRunning ? rename.running : undefined}>
                  {(errorAt, readOnly) => (
                    <Field
                      label={words().name}
                      name="factorFriendlyName"
                      autoComplete="off"
                      maxLength={64}
                      required
                      readOnly={readOnly}
                      defaultValue={action.factor.factorFriendlyName}
                      error={errorAt('factorFriendlyName')}
                    />
                  )}
                </ActionForm>
              )
          }
        }}
      </ActionDialog>
    </Section>
  )
}
