import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { signInTexts } from '../messages/current.ts'

/** Password managers store and look up the password under this name. */
export const Username = ({ username }: { username: string }) => (
  <input hidden type="email" name="username" autoComplete="username" readOnly defaultValue={username} />
)

type CurrentPasswordProps = { username: string; name?: string; label?: string; error: string | undefined; readOnly: boolean }

/** The field for the password that the user has now. */
export const CurrentPassword = ({ username, name = 'password', label = signInTexts.login.password, ...field }: CurrentPasswordProps) => (
  <div>
    <Username username={username} />
    <PasswordField {...field} name={name} label={label} autoComplete="current-password" toggle={signInTexts.passwordField} required />
  </div>
)
