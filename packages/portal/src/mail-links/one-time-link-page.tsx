import { asciiDigits } from '@gatehouse/language/digits.ts'
import { ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { codeLook } from '@gatehouse/ui/fields/code-field.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import type { AuthToken } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { type ReactNode, useEffect } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { portalTexts, signInTexts } from '../messages/current.ts'
import { SubmitForm } from '../submit-form.tsx'
import { afterRedeem, type Redeemed } from './after-mail-link.ts'
import { MailLinkCard } from './mail-link-card.tsx'
import styles from './one-time-link-page.module.css'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

type OneTimeLinkPageProps = MailLinkPageProps<Redeemed> & {
  api: Pick<PortalApi, 'mailLinkLook' | 'magiclinkRedeem'>
  /** Starts the session and opens the token page. Must stay the same function while the page is open. */
  leave: (token: AuthToken, signal: AbortSignal) => Promise<void>
  /** Renders the sign-in area at a page, for a second factor. */
  goOn: (page: SignInPage) => ReactNode
}

const words = () => portalTexts.oneTimeLink

/** Opens a one-time link. The button signs in like a correct password: a second factor may follow. */
export const OneTimeLinkPage = ({ link, base, begin, api, leave, goOn }: OneTimeLinkPageProps) => {
  const { state, problem, isRunning, use, fail, edit, lookAgain } = useMailLink<Redeemed>('OneTimeLink', link, api.mailLinkLook, begin)
  const result = state.is === 'Done' ? state.result : undefined
  const token = result?.is === 'LoggedIn' ? result.token : undefined
  const asksNumber = 'asksNumber' in state && state.asksNumber === true
  const signIn = (form: HTMLFormElement) => {
    if (!asksNumber) return void use(async (link, signal) => afterRedeem(await api.magiclinkRedeem(link, signal)))
    const number = asciiDigits(String(new FormData(form).get('number') ?? '')).trim()
    if (!/^\d{2}$/.test(number)) return fail({ at: 'number', message: words().numberMissing })
    void use(async (link, signal) => afterRedeem(await api.magiclinkRedeem({ ...link, number }, signal), true))
  }

  useEffect(() => {
    if (!token) return
    const gone = new AbortController()
    void leave(token, gone.signal)
    return () => gone.abort()
  }, [token, leave])

  if (result?.is === 'GoesOn') return goOn(result.page)

  return (
    <MailLinkCard
      state={state}
      title={words().title}
      dead={words().dead}
      ask={{ label: portalTexts.mailLink.askAgain, href: `${base}/forgot-password` }}
      onRetry={lookAgain}
    >
      {result?.is === 'ForcedReset' ? (
        <Statement
          key="forced-reset"
          status="attention"
          focused
          title={words().resetPassword}
          actions={
            <ButtonLink look="primary" href={`${base}/forgot-password`}>
              {words().resetPassword}
            </ButtonLink>
          }
        >
          {signInTexts.failures['forced-reset']}
        </Statement>
      ) : (
        'email' in state && (
          <Statement
            key="good"
            focused={!asksNumber}
            title={state.email ? words().titleFor(state.email) : words().title}
            actions={
              <SubmitForm
                label={token ? words().signedIn : isRunning ? words().signingIn : words().signIn}
                progress={token ? 'done' : isRunning ? 'running' : undefined}
                problem={problem}
                send={link && signIn}
                onEdit={edit}
              >
                {asksNumber && (
                  <div className={styles.number}>
                    <Field
                      label={words().number}
                      inputClass={codeLook}
                      type="text"
                      name="number"
                      inputMode="numeric"
                      autoComplete="off"
                      maxLength={2}
                      autoFocus
                      readOnly={isRunning || token !== undefined}
                      required
                      error={problem?.at === 'number' ? problem.message : undefined}
                    />
                  </div>
                )}
              </SubmitForm>
            }
          >
            {asksNumber ? words().textWithNumber : words().text}
          </Statement>
        )
      )}
    </MailLinkCard>
  )
}
