import { ButtonLink, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import type { PortalApi } from '../calls/portal-api.ts'
import { portalTexts } from '../messages/current.ts'
import { SubmitForm } from '../submit-form.tsx'
import { afterVoid } from './after-mail-link.ts'
import styles from './mail-link-card.module.css'
import { MailLinkCard } from './mail-link-card.tsx'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

type ConfirmEmailPageProps = MailLinkPageProps<void> & { api: Pick<PortalApi, 'mailLinkLook' | 'userEmailConfirm'> }

const words = () => portalTexts.confirmEmail

/** Opens the link that was mailed to a new address. The old address stays until the user presses the button. */
export const ConfirmEmailPage = ({ link, base, begin, api }: ConfirmEmailPageProps) => {
  const { state, problem, isRunning, use, lookAgain } = useMailLink<void>('EmailChange', link, api.mailLinkLook, begin)
  const confirm = () => void use(async (link, signal) => afterVoid(await api.userEmailConfirm(link, signal)))

  return (
    <MailLinkCard
      state={state}
      title={words().title}
      dead={words().dead}
      ask={{ label: words().toAccount, href: `${base}/account` }}
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
          {state.email ? words().doneFor(state.email) : words().done}
        </Statement>
      ) : (
        'email' in state && (
          <Statement
            key="good"
            focused
            title={state.email ? words().titleFor(state.email) : words().title}
            actions={
              <>
                <SubmitForm
                  label={isRunning ? words().confirming : words().confirm}
                  progress={isRunning ? 'running' : undefined}
                  problem={problem}
                  send={link && confirm}
                />
                <div className={styles.leave}>
                  <TextLink href={`${base}/account`}>{words().toAccount}</TextLink>
                </div>
              </>
            }
          >
            {words().text}
          </Statement>
        )
      )}
    </MailLinkCard>
  )
}
