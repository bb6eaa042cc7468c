import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import type { ReactNode } from 'react'
import { accountTexts } from '../messages/current.ts'
import { isHidden, type Problem } from './action-state.ts'
import { ReauthenticationForm } from './reauthentication-form.tsx'
import type { Actions } from './use-actions.ts'

type ActionDialogProps<Action> = {
  actions: Actions<Action>
  username: string
  title: (action: Action) => string
  /** Whether the dialog of an action shows a QR code. */
  hasQrCode?: (action: Action) => boolean
  /** Instructions for users without a password. */
  withoutPassword?: ReactNode
  children: (action: Action, now: { problem: Problem | undefined; isRunning: boolean }) => ReactNode
}

/** The dialog of an action. It asks for the password if the session is too old. */
export const ActionDialog = <Action,>({ actions, username, title, hasQrCode, withoutPassword, children }: ActionDialogProps<Action>) => {
  const { state, close } = actions
  if (state.is === 'Idle' || isHidden(state)) return null
  const isReauthenticating = state.is === 'Reauthenticating' || state.is === 'CheckingPassword'
  return (
    <Modal
      open
      onClose={close}
      title={isReauthenticating ? accountTexts.confirm.title : title(state.action)}
      close={accountTexts.close}
      narrow={!isReauthenticating && hasQrCode?.(state.action) ? 'for a QR code' : true}
    >
      {isReauthenticating ? (
        <>
          <ReauthenticationForm actions={actions} username={username} />
          {withoutPassword}
        </>
      ) : (
        children(state.action, { problem: 'problem' in state ? state.problem : undefined, isRunning: state.is === 'Running' })
      )}
    </Modal>
  )
}
