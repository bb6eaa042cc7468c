import type { Failure } from '@gatehouse/sign-in'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { ActWindow } from '../../actions/action-dialog.tsx'
import { ActForm } from '../../actions/action-form.tsx'
import type { Problem } from '../../actions/action-state.ts'
import { afterVoid, type SectionProps, useOwnAct, withPassword } from '../../actions/use-action.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { newPasswordProblem } from '../../mail-links/new-password-rules.ts'
import { english } from '../../messages/en.ts'
import { englishAccount } from '../../messages/en-account.ts'
import { Act, Row, Rows, Section } from '../section.tsx'

type What = 'email' | 'password' | 'create'

export type CredentialsProps = SectionProps & {
  minPasswordLength: number
  api: Pick<PortalApi, 'userEmailChange' | 'userPasswordUpdate' | 'userPasswordCreate'>
}

const words = englishAccount.credentials

/** The server's word for a field that it does not take, with the end of a sentence. */
const problemOf = ({ message }: Failure): Problem | undefined => {
  const [, at, problem] = /^(password|oldpassword|newpassword): (.+)$/s.exec(message) ?? []
  if (!at || !problem) return undefined
  return { at, message: at === 'newpassword' ? english.newPassword.refused(problem) : englishAccount.passwordRefused(problem) }
}
const emailProblemOf = (failure: Failure): Problem | undefined => {
  if (failure.code === 'AddressUnchanged') return { at: 'newemail', message: words.email.same }
  return /newemail/.test(failure.message) ? { at: 'newemail', message: words.email.malformed } : problemOf(failure)
}

/** What one signs in with: the address, and the password. */
export const CredentialsSection = (props: CredentialsProps) => {
  const { username, hasPassword, minPasswordLength, api } = props
  const act = useOwnAct<What>(props)
  const { state } = act

  const changeEmail = (newemail: string, password: string) => {
    if (newemail.trim() === '') return act.fail({ at: 'newemail', message: words.email.missing })
    if (password === '') return act.fail({ at: 'password', message: english.login.passwordMissing })
    const request = { newemail: newemail.trim(), password }
    void act.start(async signal => {
      const reply = await withPassword(api, password, signal, () => api.userEmailChange(request, signal))
      return afterVoid(reply, words.email.done, emailProblemOf)
    })
  }

  const changePassword = (oldpassword: string, newpassword: string, newpasswordverification: string) => {
    if (hasPassword && oldpassword === '') return act.fail({ at: 'oldpassword', message: english.login.passwordMissing })
    const problem = newPasswordProblem(newpassword, newpasswordverification, minPasswordLength)
    if (problem) return act.fail({ ...problem, at: problem.at === 'password' ? 'newpassword' : 'newpasswordverification' })
    const request = { useridentity: username, newpassword, newpasswordverification }
    void act.start(async signal =>
      hasPassword
        ? afterVoid(await api.userPasswordUpdate({ ...request, oldpassword }, signal), words.password.done, problemOf)
        : afterVoid(await api.userPasswordCreate(request, signal), words.create.done, problemOf),
    )
  }

  return (
    <Section id="credentials" title={words.title} news={state.is === 'AtRest' ? state.news : undefined}>
      <Rows>
        <Row
          name={words.email.label}
          details={[username]}
          // Without a password there is nothing to prove it by.
          acts={hasPassword && <Act label={words.email.open} onClick={() => act.choose('email')} />}
        />
        <Row
          name={words.password.label}
          details={[hasPassword ? words.password.set : words.create.notSet]}
          acts={
            hasPassword ? (
              <Act label={words.password.open} onClick={() => act.choose('password')} />
            ) : (
              <Act label={words.create.open} onClick={() => act.choose('create')} />
            )
          }
        />
      </Rows>
      <ActWindow act={act} username={username} title={what => words[what].title}>
        {(what, { problem, isRunning }) => (
          <ActForm
            key={what}
            text={words[what].text}
            submit={words[what].submit}
            running={isRunning ? words[what].running : undefined}
            problem={problem}
            onSubmit={typed =>
              what === 'email'
                ? changeEmail(typed('newemail'), typed('password'))
                : changePassword(typed('oldpassword'), typed('newpassword'), typed('newpasswordverification'))
            }
            onEdit={act.edit}
            onCancel={act.close}
          >
            {(errorAt, readOnly) =>
              what === 'email' ? (
                <>
                  <Field
                    label={words.email.field}
                    type="email"
                    name="newemail"
                    autoComplete="email"
                    required
                    readOnly={readOnly}
                    error={errorAt('newemail')}
                  />
                  <OldPassword name="password" username={username} error={errorAt('password')} readOnly={readOnly} />
                </>
              ) : (
                <>
                  {hasPassword ? (
                    <OldPassword name="oldpassword" username={username} error={errorAt('oldpassword')} readOnly={readOnly} />
                  ) : (
                    <Username username={username} />
                  )}
                  <NewPassword
                    least={minPasswordLength}
                    name="newpassword"
                    label={words.password.next}
                    error={errorAt('newpassword')}
                    readOnly={readOnly}
                    caption
                  />
                  <NewPassword
                    least={minPasswordLength}
                    name="newpasswordverification"
                    label={words.password.again}
                    error={errorAt('newpasswordverification')}
                    readOnly={readOnly}
                  />
                </>
              )
            }
          </ActForm>
        )}
      </ActWindow>
    </Section>
  )
}

/** A password manager looks under this name, and keeps a new password under it. */
const Username = ({ username }: { username: string }) => (
  <input hidden type="email" name="username" autoComplete="username" readOnly defaultValue={username} />
)

type PasswordProps = { name: string; error: string | undefined; readOnly: boolean }

const OldPassword = ({ username, ...field }: PasswordProps & { username: string }) => (
  <div>
    <Username username={username} />
    <PasswordField
      {...field}
      label={field.name === 'oldpassword' ? words.password.old : english.login.password}
      autoComplete="current-password"
      toggle={english.passwordField}
      required
    />
  </div>
)

const NewPassword = ({ least, caption = false, ...field }: PasswordProps & { label: string; least: number; caption?: boolean }) => (
  <PasswordField
    {...field}
    caption={caption ? words.password.length(least) : undefined}
    autoComplete="new-password"
    toggle={english.passwordField}
    minLength={least}
    required
  />
)
