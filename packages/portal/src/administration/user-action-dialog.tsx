import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { english } from '../messages/en.ts'
import styles from './act-window.module.css'
import type { Acting } from './use-act.ts'
import type { Act, ActState, Problem } from './user-action.ts'
import { words } from './words.ts'

type ActWindowProps = {
  acting: Acting
  /** The administrator's own name and time zone. */
  username: string
  zone: string
  /** Signs out, for who has no password to confirm with. */
  signOut: () => void
}

/** The window that spells out what an act does before it is done, and asks for the password where the sign-in was too long ago. */
export const ActWindow = ({ acting, username, zone, signOut }: ActWindowProps) => {
  const { state } = acting
  const field = useRef<HTMLInputElement>(null)
  const isOpen = state.is !== 'AtRest'
  // Here, for it comes after the window has been shown, which puts the focus on its first button.
  useLayoutEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  if (!isOpen) return null
  const isConfirming = state.is === 'Confirming' || state.is === 'CheckingPassword'
  const title = isConfirming ? words.confirm.title : words.acts[state.act.kind].title(state.act.kind === 'add' ? '' : state.act.userIdent)
  return (
    <Modal open onClose={acting.close} title={title} close={words.close} narrow>
      {isConfirming ? (
        <Confirmation state={state} acting={acting} username={username} signOut={signOut} />
      ) : (
        <Question state={state} field={field} acting={acting} zone={zone} />
      )}
    </Modal>
  )
}

const problemOf = (state: ActState): Problem | undefined =>
  (state.is === 'Asking' || state.is === 'Confirming') && state.problem ? state.problem : undefined

type QuestionProps = {
  state: Extract<ActState, { is: 'Asking' | 'Doing' }>
  /** Where the act wants something typed. */
  field: RefObject<HTMLInputElement | null>
  acting: Acting
  zone: string
}

const Question = ({ state, field, acting, zone }: QuestionProps) => {
  const zoneField = useRef<HTMLInputElement>(null)
  const { act } = state
  const problem = problemOf(state)
  const isRunning = state.is === 'Doing'

  useLayoutEffect(() => {
    if (problem?.at === 'field') field.current?.focus()
  }, [problem, field])

  return (
    <>
      <Effects lines={words.acts[act.kind].text} />
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!isRunning) acting.submit(act, { userIdent: field.current?.value ?? '', zone: zoneField.current?.value.trim() || zone })
        }}
      >
        <ErrorPanel title={english.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        {(act.kind === 'add' || act.kind === 'delete') && (
          <div className={styles.fields}>
            <Field
              ref={field}
              label={words.acts[act.kind].field(act.kind === 'delete' ? act.userIdent : '')}
              name="userIdent"
              type={act.kind === 'add' ? 'email' : 'text'}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              required
              readOnly={isRunning}
              error={problem?.at === 'field' ? problem.message : undefined}
              onInput={acting.edited}
            />
            {act.kind === 'add' && (
              <Field ref={zoneField} label={words.acts.add.zone} name="zone" defaultValue={zone} autoComplete="off" readOnly={isRunning} />
            )}
          </div>
        )}
        <Button look="primary" type="submit" progress={isRunning ? 'running' : undefined}>
          {labelOf(act)}
        </Button>
        <Announced>{isRunning && words.acts.running}</Announced>
      </form>
      <div className={styles.cancel}>
        <LinkButton onClick={acting.close}>{words.cancel}</LinkButton>
      </div>
    </>
  )
}

/** What an act does, line by line. */
const Effects = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 1 ? (
    <p className={styles.text}>{lines[0]}</p>
  ) : (
    <ul className={styles.effects}>
      {lines.map(line => (
        <li key={line} className={styles.effect}>
          {line}
        </li>
      ))}
    </ul>
  )

const labelOf = (act: Act): string => words.acts[act.kind].button

type ConfirmationProps = {
  state: Extract<ActState, { is: 'Confirming' | 'CheckingPassword' }>
  acting: Acting
  username: string
  signOut: () => void
}

const Confirmation = ({ state, acting, username, signOut }: ConfirmationProps) => {
  const password = useRef<HTMLInputElement>(null)
  const problem = problemOf(state)
  const isRunning = state.is === 'CheckingPassword'

  useLayoutEffect(() => password.current?.focus(), [])
  useLayoutEffect(() => {
    if (problem?.at === 'field') password.current?.focus()
  }, [problem])

  return (
    <>
      <p className={styles.text}>{words.confirm.text}</p>
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!isRunning) void acting.confirm(password.current?.value ?? '')
        }}
      >
        <ErrorPanel title={english.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        <div className={styles.fields}>
          {/* A password manager looks under this name. */}
          <input hidden type="email" name="username" autoComplete="username" readOnly defaultValue={username} />
          <PasswordField
            ref={password}
            label={words.confirm.password}
            name="password"
            autoComplete="current-password"
            toggle={words.confirm.toggle}
            required
            readOnly={isRunning}
            error={problem?.at === 'field' ? problem.message : undefined}
            onInput={acting.edited}
          />
        </div>
        <Button look="primary" type="submit" progress={isRunning ? 'running' : undefined}>
          {words.confirm.button}
        </Button>
        <Announced>{isRunning && words.acts.running}</Announced>
      </form>
      <p className={styles.instead}>
        {words.confirm.noPassword} <LinkButton onClick={signOut}>{words.confirm.instead}</LinkButton>
      </p>
    </>
  )
}
