import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { english } from '../messages/en.ts'
import { englishAccount } from '../messages/en-account.ts'
import { ActionForm } from './action-form.tsx'
import type { Actions } from './use-actions.ts'

type ReauthenticationFormProps = {
  actions: Pick<Actions<unknown>, 'state' | 'edit' | 'close' | 'fail' | 'confirm'>
  username: string
}

const words = englishAccount.confirm

/** Asks for the password, because the session is too old for the action. */
export const ReauthenticationForm = ({ actions, username }: ReauthenticationFormProps) => {
  const { state } = actions
  return (
    <ActionForm
      text={words.text}
      submit={words.submit}
      running={state.is === 'CheckingPassword' ? words.running : undefined}
      problem={'problem' in state ? state.problem : undefined}
      onSubmit={typed => {
        const password = typed('password')
        if (password === '') actions.fail({ at: 'password', message: english.login.passwordMissing })
        else void actions.confirm(password)
      }}
      onEdit={actions.edit}
      onCancel={actions.close}
    >
      {(errorAt, readOnly) => (
        <div>
          <Username username={username} />
          <PasswordField
            label={english.login.password}
            name="password"
            autoComplete="current-password"
            toggle={english.passwordField}
            required
            readOnly={readOnly}
            error={errorAt('password')}
          />
        </div>
      )}
    </ActionForm>
  )
}

/** Password managers store and look up the password under this name. */
export const Username = ({ username }: { username: string }) => (
  <input hidden type="email" name="username" autoComplete="username" readOnly defaultValue={username} />
)
