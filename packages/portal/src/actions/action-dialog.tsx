import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import type { ReactNode } from 'react'
import { english } from '../messages/en.ts'
import { englishAccount } from '../messages/en-account.ts'
import { ActForm } from './action-form.tsx'
import type { Problem } from './action-state.ts'
import type { UsedAct } from './use-action.ts'

type ActWindowProps<What> = {
  act: UsedAct<What>
  username: string
  title: (what: What) => string
  /** Whether a QR code is in it. */
  hasQrCode?: (what: What) => boolean
  children: (what: What, now: { problem: Problem | undefined; isRunning: boolean }) => ReactNode
}

const words = englishAccount.confirm

/** The window of an act; where the sign-in is too long ago for it, it asks for the password in between. */
export const ActWindow = <What,>({ act, username, title, hasQrCode, children }: ActWindowProps<What>) => {
  const { state, close } = act
  if (state.is === 'AtRest' || ('shut' in state && state.shut)) return null
  const problem = 'problem' in state ? state.problem : undefined
  const isConfirming = state.is === 'Confirming' || state.is === 'Proving'
  return (
    <Modal
      open
      onClose={close}
      title={isConfirming ? words.title : title(state.what)}
      close={englishAccount.close}
      narrow={!isConfirming && hasQrCode?.(state.what) ? 'for a QR code' : true}
    >
      {isConfirming ? (
        <ActForm
          key="confirm"
          text={words.text}
          submit={words.submit}
          running={state.is === 'Proving' ? words.running : undefined}
          problem={problem}
          onSubmit={typed => {
            if (typed('password') === '') act.fail({ at: 'password', message: english.login.passwordMissing })
            else void act.confirm(typed('password'))
          }}
          onEdit={act.edit}
          onCancel={close}
        >
          {(errorAt, readOnly) => (
            <div>
              {/* A password manager looks under this name. */}
              <input hidden type="email" name="username" autoComplete="username" readOnly defaultValue={username} />
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
        </ActForm>
      ) : (
        children(state.what, { problem, isRunning: state.is === 'Running' })
      )}
    </Modal>
  )
}
