import type { Failure } from '@gatehouse/sign-in'
import { GoogleMark, MicrosoftMark, PakMark } from '@gatehouse/ui/icons/provider-marks.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { useEffect } from 'react'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import type { Problem } from '../../actions/action-state.ts'
import { CurrentPassword } from '../../actions/current-password.tsx'
import { byPasskey, byPassword, type ProveAgain } from '../../actions/prove-again.ts'
import { type Outcome, outcomeOf, passwordProblem, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts, portalTexts, signInTexts } from '../../messages/current.ts'
import { ActionButton, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import styles from './ways-to-sign-in.module.css'

/** A provider that is set up or linked. */
type Provider = OwnAccount['providers'][number]

export type WaysToSignInProps = SectionProps & {
  /** Whether the user has a passkey that signs in without a password. */
  signsInByPasskey: boolean
  /** At least one. */
  providers: readonly Provider[]
  api: Pick<PortalApi, 'userProviderLink' | 'userProviderUnlink'>
  /** Opens the provider's page. Must stay the same function while the page is open. */
  visit: (location: string) => void
}

const words = () => portalTexts.account
const marks = { Google: <GoogleMark />, Azure: <MicrosoftMark />, Pak: <PakMark /> }

const problemOr =
  (conflict: string) =>
  (failure: Failure): Problem | undefined =>
    failure.status === 409 ? { at: 'page', message: conflict } : passwordProblem(failure)

/** The providers that a user can link and unlink. A user with a password confirms each change with it or with a passkey. */
export const WaysToSignIn = (props: WaysToSignInProps) => {
  const { username, providers, hasPassword, signsInByPasskey, api, visit } = props
  const actions = useActions<Provider>(props)
  const { state, passkeys } = actions
  const linked = providers.filter(provider => provider.linked)
  // The server also refuses this. It may count fewer providers, because it ignores linked ones that are no longer set up.
  const lastStays = !hasPassword && !signsInByPasskey && linked.length === 1
  const location = state.is === 'Leaving' ? state.location : undefined

  useEffect(() => {
    if (location !== undefined) visit(location)
  }, [location, visit])

  const changeByPassword = (provider: Provider, password: string) => {
    if (hasPassword && password === '') return actions.fail({ at: 'password', message: signInTexts.login.passwordMissing })
    change(provider, byPassword(api, password))
  }

  const change = ({ provider, linked }: Provider, prove: ProveAgain) => {
    void actions.start(async (signal): Promise<Outcome<Provider>> => {
      if (linked) {
        const reply = await prove(signal, proof => api.userProviderUnlink({ provider, ...proof }, signal))
        if ('problem' in reply) return reply
        return outcomeOf(reply, words().unlinked(words().providers[provider]), problemOr(words().lastWay))
      }
      const reply = await prove(signal, proof => api.userProviderLink({ provider, ...proof }, signal))
      if ('problem' in reply) return reply
      return reply.ok ? reply.value : { failure: reply.failure, problem: problemOr(words().unavailable)(reply.failure) }
    })
  }

  return (
    <Section id="ways-to-sign-in" title={words().waysToSignIn} text={words().waysToSignInText} message={actions.message}>
      <Rows>
        {providers.map(provider => {
          const name = words().providers[provider.provider]
          const { short, title } = provider.linked ? words().unlink : words().link
          return (
            <li key={provider.provider} className={styles.way}>
              <span className={styles.mark}>{marks[provider.provider]}</span>
              <span className={styles.name}>
                {name} {provider.linked && <Tag>{words().linked}</Tag>}
                {provider.linked && lastStays && <span className={styles.reason}>{words().lastWay}</span>}
              </span>
              {!(provider.linked && lastStays) && (
                <ActionButton danger={provider.linked} label={short} of={title(name)} onClick={() => actions.choose(provider)} />
              )}
            </li>
          )
        })}
      </Rows>
      <ActionDialog
        actions={actions}
        username={username}
        title={({ provider, linked }) => (linked ? words().unlink : words().link).title(words().providers[provider])}
      >
        {(provider, { problem, isRunning }) => {
          const name = words().providers[provider.provider]
          const { title, text, textWithPassword, running } = provider.linked ? words().unlink : words().link
          return (
            <ActionForm
              text={(hasPassword ? textWithPassword : text)(name)}
              danger={provider.linked}
              submit={title(name)}
              running={state.is === 'Leaving' ? words().leaving(name) : isRunning ? running(name) : undefined}
              problem={problem}
              onSubmit={typed => changeByPassword(provider, typed('password'))}
              instead={
                hasPassword && passkeys
                  ? { label: accountTexts.confirm.usePasskey, onSubmit: () => change(provider, byPasskey(passkeys)) }
                  : undefined
              }
              onEdit={actions.edit}
              onCancel={actions.close}
            >
              {hasPassword &&
                ((errorAt, readOnly) => <CurrentPassword username={username} readOnly={readOnly} error={errorAt('password')} />)}
            </ActionForm>
          )
        }}
      </ActionDialog>
    </Section>
  )
}
