import type { Failure } from '@gatehouse/sign-in'
import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { ActionDialog } from '../actions/action-dialog.tsx'
import { ActionForm, type Typed } from '../actions/action-form.tsx'
import type { Problem } from '../actions/action-state.ts'
import { type Actions, outcomeOf } from '../actions/use-actions.ts'
import { administrationTexts as words } from '../messages/current.ts'
import type { AdministrationApi } from './administration-api.ts'
import { isPassAction, passActionTitle } from './pass-action.ts'
import { PassActionForm } from './pass-action-form.tsx'
import { type AdministratorAction, callOf, doneMessage, isDestructive, problemOf, refusedAction, type UserAction } from './user-action.ts'
import styles from './user-action-dialog.module.css'

type UserActionDialogProps = {
  actions: Actions<AdministratorAction>
  api: AdministrationApi
  /** The administrator's own name and time zone. */
  username: string
  zone: string
  /** Signs out an administrator who has no password to reauthenticate with. */
  signOut: () => void
}

const titleOf = (action: AdministratorAction): string => {
  if (isPassAction(action)) return passActionTitle(action)
  return action.kind === 'add' ? words.acts.add.title : words.acts[action.kind].title(action.userIdent)
}

/** The dialog that lists the effects of an action on a user or a pass before it runs. */
export const UserActionDialog = ({ actions, api, username, zone, signOut }: UserActionDialogProps) => {
  const submit = (action: UserAction, typed: Typed) => {
    const values = { userIdent: typed('userIdent'), zone: typed('zone').trim() || zone, groups: typed('groups') }
    const problem = problemOf(action, values)
    if (problem) return actions.fail(problem)
    void actions.start(async () => {
      const refused = (failure: Failure) => refusedAction(action, failure)
      return outcomeOf(await callOf(api, action, values), doneMessage(action, values), refused)
    })
  }

  return (
    <ActionDialog
      actions={actions}
      username={username}
      title={titleOf}
      withoutPassword={
        <p className={styles.withoutPassword}>
          {words.withoutPassword.question} <LinkButton onClick={signOut}>{words.withoutPassword.signOut}</LinkButton>
        </p>
      }
    >
      {(action, { problem, isRunning }) =>
        isPassAction(action) ? (
          <PassActionForm {...{ action, actions, api, zone, problem, isRunning }} />
        ) : (
          <UserActionForm {...{ action, actions, zone, problem, isRunning }} onSubmit={typed => submit(action, typed)} />
        )
      }
    </ActionDialog>
  )
}

type UserActionFormProps = {
  action: UserAction
  actions: Actions<AdministratorAction>
  zone: string
  problem: Problem | undefined
  isRunning: boolean
  onSubmit: (typed: Typed) => void
}

const UserActionForm = ({ action, actions, zone, problem, isRunning, onSubmit }: UserActionFormProps) => (
  <ActionForm
    text={words.acts[action.kind].text}
    danger={isDestructive(action)}
    submit={words.acts[action.kind].button}
    running={isRunning ? words.acts.running : undefined}
    problem={problem}
    onSubmit={onSubmit}
    onEdit={actions.edit}
    onCancel={actions.close}
  >
    {(action.kind === 'setGroups' &&
      ((errorAt, readOnly) => (
        <Field
          label={words.acts.setGroups.field}
          name="groups"
          defaultValue={action.groups.join(' ')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          readOnly={readOnly}
          error={errorAt('groups')}
        />
      ))) ||
      ((action.kind === 'add' || action.kind === 'delete') &&
        ((errorAt, readOnly) => (
          <>
            <Field
              label={action.kind === 'add' ? words.acts.add.field : words.acts.delete.field(action.userIdent)}
              name="userIdent"
              type={action.kind === 'add' ? 'email' : 'text'}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              required
              readOnly={readOnly}
              error={errorAt('userIdent')}
            />
            {action.kind === 'add' && (
              <Field
                label={words.acts.add.zone}
                name="zone"
                defaultValue={zone}
                autoComplete="off"
                readOnly={readOnly}
                error={errorAt('zone')}
              />
            )}
          </>
        )))}
  </ActionForm>
)
