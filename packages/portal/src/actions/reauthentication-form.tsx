import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { accountTexts, signInTexts } from '../messages/current.ts'
import styles from './action-form.module.css'
import { ActionForm } from './action-form.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { Actions } from './use-actions.ts'

type ReauthenticationFormProps = {
  actions: Pick<Actions<unknown>, 'state' | 'edit' | 'close' | 'fail' | 'confirm' | 'confirmByPasskey' | 'hasPassword'>
  username: string
}

const words = () => accountTexts.confirm

/** Asks for the password or a passkey, because the session is too old for the action. */
export const ReauthenticationForm = ({ actions, username }: ReauthenticationFormProps) => {
  const { state, confirmByPasskey, hasPassword } = actions
  const isChecking = state.is === 'CheckingPassword'
  const form = {
    running: isChecking ? words().running : undefined,
    problem: 'problem' in state ? state.problem : undefined,
    onEdit: actions.edit,
    onCancel: actions.close,
  }
  if (!hasPassword)
    return <ActionForm {...form} text={words().textOfPasskey} submit={words().usePasskey} onSubmit={() => void confirmByPasskey?.()} />

  return (
    <>
      <ActionForm
        {...form}
        text={words().text}
        submit={words().submit}
        onSubmit={typed => {
          const password = typed('password')
          if (password === '') actions.fail({ at: 'password', message: signInTexts.login.passwordMissing })
          else void actions.confirm(password)
        }}
      >
        {(errorAt, readOnly) => <CurrentPassword username={username} readOnly={readOnly} error={errorAt('password')} />}
      </ActionForm>
      {confirmByPasskey && (
        <div className={styles.instead}>
          <Button disabled={isChecking} onClick={() => void confirmByPasskey()}>
            {words().usePasskey}
          </Button>
        </div>
      )}
    </>
  )
}
