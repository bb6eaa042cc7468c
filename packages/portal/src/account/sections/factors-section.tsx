import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { ActWindow } from '../../actions/action-dialog.tsx'
import { ActForm } from '../../actions/action-form.tsx'
import { afterVoid, type SectionProps, useOwnAct } from '../../actions/use-action.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { told } from '../../clock-time.ts'
import { english } from '../../messages/en.ts'
import { englishAccount } from '../../messages/en-account.ts'
import { type FactorAct, factorProblem, provisionalName, readCode, removalText, titleOf } from '../factor-actions.ts'
import { FirstCodeForm } from '../first-code-form.tsx'
import { PhoneEnrolment } from '../phone-enrolment.tsx'
import styles from '../section.module.css'
import { Act, Row, Rows, Section } from '../section.tsx'

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

const words = englishAccount.factors

/** The second factors of an account: one more, another name, one less. */
export const FactorsSection = (props: FactorsProps) => {
  const { account, hasPassword, username, api, leave } = props
  const { factors, mayChangeFactors, mayBeWithout, mostFactors, providers, skipsUsed, userTZLabel } = account
  const act = useOwnAct<FactorAct>(props)
  const { state } = act
  const isFull = factors.length >= mostFactors
  const lastStays = factors.length === 1 && !mayBeWithout
  const linked = providers.filter(way => way.linked).map(way => english.account.providers[way.provider])

  const submit = (what: FactorAct, typed: (name: string) => string) => {
    const name = typed('factorFriendlyName').trim()
    switch (what.is) {
      case 'Add':
        if (name === '') return act.fail({ at: 'factorFriendlyName', message: words.add.nameMissing })
        return act.start(async signal => {
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
        if (code === undefined) return act.fail({ at: 'otp', message: words.notSixDigits })
        const request = { verifyTOTPFactorRequestFactorUUID: what.factor.factorUUID, verifyTOTPFactorRequestCode: code }
        return act.start(async signal => afterVoid(await api.userFactorVerify(request, signal), words.add.done, factorProblem))
      }
      case 'AddPhone':
        return act.start(async signal => {
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
        // The phone has done it all; what is left is to show it.
        return act.start(async () => ({ news: words.phone.done }))
      case 'Rename': {
        if (name === '') return act.fail({ at: 'factorFriendlyName', message: words.add.nameMissing })
        const request = { factorUUID: what.factor.factorUUID, factorFriendlyName: name }
        return act.start(async signal => afterVoid(await api.userFactorRename(request, signal), words.rename.done, factorProblem))
      }
      case 'Remove': {
        const { factorUUID, factorFriendlyName } = what.factor
        const news = words.remove.done(factorFriendlyName)
        return act.start(async signal => afterVoid(await api.userFactorRemove({ factorUUID }, signal), news, factorProblem))
      }
    }
  }

  return (
    <Section
      id="second-factor"
      title={words.title}
      text={words.text}
      news={state.is === 'AtRest' ? state.news : undefined}
      act={
        mayChangeFactors &&
        !isFull && (
          <div className={styles.acts}>
            <Act label={words.add.open} onClick={() => act.choose({ is: 'Add' })} />
            <Act label={words.phone.open} onClick={() => act.choose({ is: 'AddPhone' })} />
          </div>
        )
      }
    >
      <Rows>
        {factors.length === 0 && (
          <Row
            name={hasPassword ? words.none : words.noneWithoutPassword(linked)}
            details={skipsUsed > 0 ? [words.skipped(skipsUsed)] : []}
          />
        )}
        {factors.map(factor => {
          const { factorUUID, factorFriendlyName, factorFactorType, factorDateCreated, factorDateLastUsed } = factor
          const used = factorDateLastUsed == null ? words.neverUsed : words.used(told(factorDateLastUsed, userTZLabel))
          return (
            <Row
              key={factorUUID}
              name={
                factorFactorType === 'Push' ? (
                  <>
                    {factorFriendlyName} <Tag>{words.phone.tag}</Tag>
                  </>
                ) : (
                  factorFriendlyName
                )
              }
              details={[`${words.added(told(factorDateCreated, userTZLabel))}, ${used}`, ...(lastStays ? [words.lastStays] : [])]}
              acts={
                <>
                  <Act
                    label={words.rename.open}
                    of={words.rename.of(factorFriendlyName)}
                    onClick={() => act.choose({ is: 'Rename', factor })}
                  />
                  {mayChangeFactors && !lastStays && (
                    <Act
                      label={words.remove.open}
                      of={words.remove.of(factorFriendlyName)}
                      onClick={() => act.choose({ is: 'Remove', factor, isLast: factors.length === 1 })}
                    />
                  )}
                </>
              }
            />
          )
        })}
        {isFull && mayChangeFactors && <Row name={words.most(mostFactors)} />}
        {!mayChangeFactors && <Row name={words.lower} />}
      </Rows>
      <ActWindow act={act} username={username} title={titleOf} hasQrCode={what => what.is === 'Scan' || what.is === 'Enrol'}>
        {(what, { problem, isRunning }) => {
          const form = {
            problem,
            onSubmit: (typed: (name: string) => string) => void submit(what, typed),
            onEdit: act.edit,
            onCancel: act.close,
          }
          switch (what.is) {
            case 'Scan':
              return <FirstCodeForm key="scan" {...form} factor={what.factor} isRunning={isRunning} />
            case 'Enrol':
              return (
                <PhoneEnrolment
                  key={what.link.factorUUID}
                  link={what.link}
                  api={api}
                  onVerified={() => void submit(what, () => '')}
                  onSignedOut={leave}
                  onCancel={act.close}
                />
              )
            case 'AddPhone':
              return (
                <ActForm
                  key="phone"
                  {...form}
                  text={words.phone.text}
                  submit={words.phone.submit}
                  running={isRunning ? words.phone.running : undefined}
                />
              )
            case 'Remove':
              return (
                <ActForm
                  key="remove"
                  {...form}
                  text={removalText(what)}
                  submit={words.remove.submit}
                  running={isRunning ? words.remove.running : undefined}
                />
              )
            case 'Add':
            case 'Rename': {
              const { submit, running } = what.is === 'Add' ? words.add : words.rename
              return (
                <ActForm
                  key="name"
                  {...form}
                  {...(what.is === 'Add' && { text: words.add.text })}
                  submit={submit}
                  running={isRunning ? running : undefined}
                >
                  {(errorAt, readOnly) => (
                    <Field
                      label={words.add.name}
                      caption={words.add.nameHint}
                      name="factorFriendlyName"
                      autoComplete="off"
                      maxLength={64}
                      required
                      readOnly={readOnly}
                      defaultValue={what.is === 'Rename' ? what.factor.factorFriendlyName : ''}
                      error={errorAt('factorFriendlyName')}
                    />
                  )}
                </ActForm>
              )
            }
          }
        }}
      </ActWindow>
    </Section>
  )
}
