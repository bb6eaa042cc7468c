import { Button, ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { english } from '../messages/en.ts'
import { afterVoid } from './after-mail-link.ts'
import { MailLinkCard } from './mail-link-card.tsx'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

type ConfirmEmailPageProps = MailLinkPageProps<void> & { api: Pick<PortalApi, 'mailLinkLook' | 'userEmailConfirm'> }

const words = english.confirmEmail

/** The link that was mailed to a new address is opened here. Until the button is pressed the old address stays. */
export const ConfirmEmailPage = ({ link, base, begin, api }: ConfirmEmailPageProps) => {
  const { state, dispatch, use } = useMailLink<void>('EmailChange', link, api.mailLinkLook, begin)
  const button = useRef<HTMLButtonElement>(null)
  const running = state.is === 'Using'

  useFocusReturn(running, () => button.current?.focus())

  return (
    <MailLinkCard
      state={state}
      title={words.title('')}
      dead={words.dead}
      ask={{ label: words.toAccount, href: `${base}/account` }}
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
          {words.done(state.email)}
        </Statement>
      ) : (
        'email' in state && (
          <Statement
            key="good"
            focused
            title={words.title(state.email)}
            actions={
              <Form send={link && (() => void use(async (link, signal) => afterVoid(await api.userEmailConfirm(link, signal))))}>
                <ErrorPanel title={english.unexpected.title} message={state.is === 'GoodWithError' ? state.problem.message : undefined} />
                <Button ref={button} look="primary" type="submit" progress={running ? 'running' : undefined}>
                  {running ? words.confirming : words.confirm}
                </Button>
                <Announced>{running && words.confirming}</Announced>
              </Form>
            }
          >
            {words.text}
          </Statement>
        )
      )}
    </MailLinkCard>
  )
}
