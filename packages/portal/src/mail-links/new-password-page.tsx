import { Button, ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Statement, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { useEffect, useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { english } from '../messages/en.ts'
import { afterVoid } from './after-mail-link.ts'
import { MailLinkCard } from './mail-link-card.tsx'
import { isMailLinkProps, type MailLinkProps } from './mail-link-props.ts'
import styles from './new-password-page.module.css'
import { newPasswordProblem } from './new-password-rules.ts'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

/** What the server tells: how many characters a password must have. */
export type NewPasswordProps = MailLinkProps<void> & { minPasswordLength: number }

export const isNewPasswordProps = (props: unknown): props is NewPasswordProps =>
  isMailLinkProps(props) && 'minPasswordLength' in props && typeof props.minPasswordLength === 'number'

type NewPasswordPageProps = MailLinkPageProps<void> & NewPasswordProps & { api: Pick<PortalApi, 'mailLinkLook' | 'resetPassword'> }

const words = english.newPassword

/** The link of a password reset is opened here. It signs nobody in: the new password does, on the sign-in page. */
export const NewPasswordPage = ({ link, base, begin, minPasswordLength, api }: NewPasswordPageProps) => {
  const { state, dispatch, use } = useMailLink<void>('PasswordReset', link, api.mailLinkLook, begin)
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const problem = state.is === 'GoodWithError' ? state.problem : undefined
  const running = state.is === 'Using'

  useFocusReturn(running, () => (problem?.at === 'password' ? password : button).current?.focus())

  // What was typed is wrong: the focus goes where it is mended, and the error is read out with the field.
  useEffect(() => {
    if (problem?.at === 'password') password.current?.focus()
    if (problem?.at === 'again') again.current?.focus()
  }, [problem])

  const change = (username: string) => {
    const newpassword = password.current?.value ?? ''
    const newpasswordverification = again.current?.value ?? ''
    const problem = newPasswordProblem(newpassword, newpasswordverification, minPasswordLength)
    if (problem) return dispatch({ type: 'failed', problem })
    void use(async ({ selector, token }, signal) => {
      const request = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification }
      return afterVoid(await api.resetPassword(request, signal))
    })
  }

  const edited = () => dispatch({ type: 'edited' })

  return (
    <MailLinkCard
      state={state}
      title={words.title}
      dead={words.dead}
      ask={{ label: english.mailLink.askAgain, href: `${base}/forgot-password` }}
      onRetry={() => dispatch({ type: 'lookedAgain' })}
    >
      {state.is === 'Done' ? (
        <Statement
          key="done"
          focused
          title={words.doneTitle}
          actions={
            <ButtonLink look="primary" href={`${base}/`}>
              {words.signIn}
            </ButtonLink>
          }
        >
          {words.done}
        </Statement>
      ) : (
        'email' in state && (
          <div key="good">
            <Title focused>{words.title}</Title>
            <Form className={styles.form} noValidate send={link && (() => change(state.email))}>
              <ErrorPanel title={english.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
              <div className={styles.fields}>
                {/* A password manager keeps the new password under this name. */}
                <div className={styles.account}>
                  <Field label={words.account} type="email" name="username" autoComplete="username" readOnly defaultValue={state.email} />
                </div>
                <PasswordField
                  ref={password}
                  label={words.password}
                  caption={words.length(minPasswordLength)}
                  name="newpassword"
                  autoComplete="new-password"
                  toggle={english.passwordField}
                  minLength={minPasswordLength}
                  required
                  readOnly={running}
                  // Where no script puts the focus there.
                  autoFocus={problem?.at === 'password'}
                  error={problem?.at === 'password' ? problem.message : undefined}
                  onInput={edited}
                />
                <PasswordField
                  ref={again}
                  label={words.again}
                  name="newpasswordverification"
                  autoComplete="new-password"
                  toggle={english.passwordField}
                  minLength={minPasswordLength}
                  required
                  readOnly={running}
                  autoFocus={problem?.at === 'again'}
                  error={problem?.at === 'again' ? problem.message : undefined}
                  onInput={edited}
                />
              </div>
              <Button ref={button} look="primary" type="submit" progress={running ? 'running' : undefined}>
                {running ? words.changing : words.change}
              </Button>
              <Announced>{running && words.changing}</Announced>
            </Form>
          </div>
        )
      )}
    </MailLinkCard>
  )
}
