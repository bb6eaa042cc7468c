import { ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { Statement, Title } from '@gatehouse/ui/layout/statement.tsx'
import type { NewPasswordProps } from '@gatehouse/wire/page-props'
import { useMemo, useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { portalTexts, signInTexts } from '../messages/current.ts'
import { SubmitForm } from '../submit-form.tsx'
import { afterPasswordReset } from './after-mail-link.ts'
import { MailLinkCard } from './mail-link-card.tsx'
import { isMailLinkProps } from './mail-link-props.ts'
import styles from './new-password-page.module.css'
import { newPasswordProblem } from './new-password-rules.ts'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

export const isNewPasswordProps = (props: unknown): props is NewPasswordProps =>
  isMailLinkProps(props) && 'minPasswordLength' in props && typeof props.minPasswordLength === 'number'

type NewPasswordPageProps = MailLinkPageProps<readonly string[]> &
  NewPasswordProps & { api: Pick<PortalApi, 'mailLinkLook' | 'resetPassword'> }

const words = () => portalTexts.newPassword
/** Which field shows a problem. */
const fieldOf = { page: 'page', password: 'newpassword', again: 'newpasswordverification', number: 'page' } as const

/** Opens the link of a password reset. It does not sign in: the user signs in with the new password. */
export const NewPasswordPage = ({ link, base, begin, minPasswordLength, api }: NewPasswordPageProps) => {
  const { state, problem, isRunning, use, lookAgain, fail, edit } = useMailLink<readonly string[]>(
    'PasswordReset',
    link,
    api.mailLinkLook,
    begin,
  )
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const named = useMemo(() => problem && { at: fieldOf[problem.at], message: problem.message }, [problem])

  const change = (username: string) => {
    const newpassword = password.current?.value ?? ''
    const newpasswordverification = again.current?.value ?? ''
    const problem = newPasswordProblem(newpassword, newpasswordverification, minPasswordLength)
    if (problem) return fail(problem)
    void use(async ({ selector, token }, signal) => {
      const request = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification }
      return afterPasswordReset(await api.resetPassword(request, signal))
    })
  }

  return (
    <MailLinkCard
      state={state}
      title={words().title}
      dead={words().dead}
      ask={{ label: portalTexts.mailLink.askAgain, href: `${base}/forgot-password` }}
      onRetry={lookAgain}
    >
      {state.is === 'Done' ? (
        <Statement
          key="done"
          status="done"
          focused
          title={words().doneTitle}
          actions={
            <ButtonLink look="primary" href={`${base}/`}>
              {words().signIn}
            </ButtonLink>
          }
        >
          <p className={styles.done}>{words().done}</p>
          {state.result.length > 0 && <PasskeyReview names={state.result} />}
        </Statement>
      ) : (
        'email' in state && (
          <div key="good">
            <Title>{words().title}</Title>
            <SubmitForm
              className={styles.form}
              label={isRunning ? words().changing : words().change}
              progress={isRunning ? 'running' : undefined}
              problem={named}
              send={link && (() => change(state.email))}
              onEdit={edit}
            >
              <div className={styles.fields}>
                {/* Password managers store the new password under this name. */}
                <div className={styles.account}>
                  <Field label={words().account} type="email" name="username" autoComplete="username" readOnly defaultValue={state.email} />
                </div>
                <PasswordField
                  ref={password}
                  label={words().password}
                  caption={words().length(minPasswordLength)}
                  name="newpassword"
                  autoComplete="new-password"
                  toggle={signInTexts.passwordField}
                  minLength={minPasswordLength}
                  required
                  readOnly={isRunning}
                  autoFocus={problem?.at !== 'again'}
                  error={problem?.at === 'password' ? problem.message : undefined}
                />
                <PasswordField
                  ref={again}
                  label={words().again}
                  name="newpasswordverification"
                  autoComplete="new-password"
                  toggle={signInTexts.passwordField}
                  minLength={minPasswordLength}
                  required
                  readOnly={isRunning}
                  // For browsers without a script.
                  autoFocus={problem?.at === 'again'}
                  error={problem?.at === 'again' ? problem.message : undefined}
                />
              </div>
            </SubmitForm>
          </div>
        )
      )}
    </MailLinkCard>
  )
}

/**
 * Passkeys survive a new password. An attacker with access to the mailbox or the old password may
 * have added one.
 */
const PasskeyReview = ({ names }: { names: readonly string[] }) => (
  <div className={styles.passkeys}>
    <p className={styles.review}>{words().passkeys}</p>
    <ul className={styles.names}>
      {names.map((name, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several passkeys may have the same name, and their order never changes
        <li key={i}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  </div>
)
