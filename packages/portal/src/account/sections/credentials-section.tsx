import type { Failure } from '@gatehouse/sign-in'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import type { Problem } from '../../actions/action-state.ts'
import { CurrentPassword, Username } from '../../actions/current-password.tsx'
import { fieldProblem } from '../../actions/field-problem.ts'
import { byPasskey, byPassword, type ProveAgain } from '../../actions/prove-again.ts'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { newPasswordProblem, refusedPasswordText } from '../../mail-links/new-password-rules.ts'
import { accountTexts, signInTexts } from '../../messages/current.ts'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'

type CredentialsAction = 'email' | 'password' | 'create'

export type CredentialsProps = SectionProps & {
  minPasswordLength: number
  /** Whether the user has passes. A new password ends them. */
  hasPasses: boolean
  api: Pick<PortalApi, 'userEmailChange' | 'userPasswordUpdate' | 'userPasswordCreate'>
}

const words = () => accountTexts.credentials

const problemOf = (failure: Failure): Problem | undefined => {
  const refused = fieldProblem(failure)
  if (refused?.field === 'newpassword') return { at: 'newpassword', message: refusedPasswordText(failure.code) }
  if (refused?.field === 'password' || refused?.field === 'oldpassword') return { at: refused.field, message: accountTexts.passwordWrong }
  return undefined
}

const emailProblemOf = (failure: Failure): Problem | undefined => {
  if (failure.code === 'AddressUnchanged') return { at: 'newemail', message: words().email.same }
  if (failure.code === 'AddressMalformed') return { at: 'newemail', message: words().email.malformed }
  // Decode failures name the field by its path, `/newemail: `.
  return /\bnewemail: /.test(failure.message) ? { at: 'newemail', message: words().email.malformed } : problemOf(failure)
}

/** The email address and the password that the user signs in with. */
export const CredentialsSection = (props: CredentialsProps) => {
  const { username, hasPassword, hasPasses, minPasswordLength, api } = props
  const actions = useActions<CredentialsAction>(props)
  const isHydrated = useHydrated()

  const changeEmail = (newemail: string, prove: ProveAgain | undefined) => {
    if (newemail.trim() === '') return actions.fail({ at: 'newemail', message: words().email.missing })
    if (!prove) return actions.fail({ at: 'password', message: signInTexts.login.passwordMissing })
    void actions.start(async signal => {
      const reply = await prove(signal, proof => api.userEmailChange({ newemail: newemail.trim(), ...proof }, signal))
      return 'problem' in reply ? reply : outcomeOf(reply, words().email.done, emailProblemOf)
    })
  }
  const { passkeys } = actions
  const provedBy = (password: string) => (hasPassword ? password !== '' && byPassword(api, password) : passkeys && byPasskey(passkeys))

  const changePassword = (oldpassword: string, newpassword: string, newpasswordverification: string) => {
    if (hasPassword && oldpassword === '') return actions.fail({ at: 'oldpassword', message: signInTexts.login.passwordMissing })
    const problem = newPasswordProblem(newpassword, newpasswordverification, minPasswordLength)
    if (problem) return actions.fail({ ...problem, at: problem.at === 'password' ? 'newpassword' : 'newpasswordverification' })
    const request = { useridentity: username, newpassword, newpasswordverification }
    void actions.start(async signal =>
      hasPassword
        ? outcomeOf(await api.userPasswordUpdate({ ...request, oldpassword }, signal), words().password.done, problemOf)
        : outcomeOf(await api.userPasswordCreate(request, signal), words().create.done, problemOf),
    )
  }

  return (
    <Section id="credentials" title={words().title} message={actions.message}>
      <Rows>
        <Row
          name={words().email.label}
          details={[<bdi key="email">{username}</bdi>]}
          // The server requires the password or a passkey for a new address.
          actions={
            (hasPassword || (isHydrated && passkeys)) && <ActionButton label={words().email.open} onClick={() => actions.choose('email')} />
          }
        />
        <Row
          // /.well-known/change-password leads password managers here.
          id="password"
          name={words().password.label}
          details={[hasPassword ? words().password.set : words().create.notSet]}
          actions={
            hasPassword ? (
              <ActionButton label={words().password.open} onClick={() => actions.choose('password')} />
            ) : (
              <ActionButton label={words().create.open} onClick={() => actions.choose('create')} />
            )
          }
        />
      </Rows>
      <ActionDialog actions={actions} username={username} title={action => words()[action].title}>
        {(action, { problem, isRunning }) => (
          <ActionForm
            key={action}
            text={action !== 'email' && hasPasses ? words()[action].textWithPasses : words()[action].text}
            submit={words()[action].submit}
            running={isRunning ? words()[action].running : undefined}
            problem={problem}
            onSubmit={typed =>
              action === 'email'
                ? changeEmail(typed('newemail'), provedBy(typed('password')) || undefined)
                : changePassword(typed('oldpassword'), typed('newpassword'), typed('newpasswordverification'))
            }
            instead={
              action === 'email' && hasPassword && passkeys
                ? { label: accountTexts.confirm.usePasskey, onSubmit: typed => changeEmail(typed('newemail'), byPasskey(passkeys)) }
                : undefined
            }
            onEdit={actions.edit}
            onCancel={actions.close}
          >
            {(errorAt, readOnly) =>
              action === 'email' ? (
                <>
                  <Field
                    label={words().email.field}
                    type="email"
                    name="newemail"
                    autoComplete="email"
                    required
                    readOnly={readOnly}
                    error={errorAt('newemail')}
                  />
                  {hasPassword && <CurrentPassword username={username} error={errorAt('password')} readOnly={readOnly} />}
                </>
              ) : (
                <>
                  {hasPassword ? (
                    <CurrentPassword
                      name="oldpassword"
                      label={words().password.old}
                      username={username}
                      error={errorAt('oldpassword')}
                      readOnly={readOnly}
                    />
                  ) : (
                    <Username username={username} />
                  )}
                  <NewPassword
                    least={minPasswordLength}
                    name="newpassword"
                    label={words().password.next}
                    error={errorAt('newpassword')}
                    readOnly={readOnly}
                    caption
                  />
                  <NewPassword
                    least={minPasswordLength}
                    name="newpasswordverification"
                    label={words().password.again}
                    error={errorAt('newpasswordverification')}
                    readOnly={readOnly}
                  />
                </>
              )
            }
          </ActionForm>
        )}
      </ActionDialog>
    </Section>
  )
}

type PasswordProps = { name: string; error: string | undefined; readOnly: boolean }

const NewPassword = ({ least, caption = false, ...field }: PasswordProps & { label: string; least: number; caption?: boolean }) => (
  <PasswordField
    {...field}
    caption={caption ? words().password.length(least) : undefined}
    autoComplete="new-password"
    toggle={signInTexts.passwordField}
    minLength={least}
    required
  />
)
