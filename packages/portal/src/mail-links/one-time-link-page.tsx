import type { Page } from '@gatehouse/sign-in'
import { Button, ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { AuthToken } from '@gatehouse/wire'
import { type ReactNode, useEffect, useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { english } from '../messages/en.ts'
import { afterRedeem, type Redeemed } from './after-mail-link.ts'
import { MailLinkCard } from './mail-link-card.tsx'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

type OneTimeLinkPageProps = MailLinkPageProps<Redeemed> & {
  api: Pick<PortalApi, 'mailLinkLook' | 'magiclinkRedeem'>
  /** Starts the session and goes to the token page. Stays the same as long as the page does. */
  leave: (token: AuthToken, signal: AbortSignal) => Promise<void>
  /** Draws the sign-in area from a page on, for a second factor. */
  goOn: (page: Page) => ReactNode
}

const words = english.oneTimeLink

/** A one-time link is opened here: a press of the button signs in, as far as a password would. */
export const OneTimeLinkPage = ({ link, base, begin, api, leave, goOn }: OneTimeLinkPageProps) => {
  const { state, dispatch, use } = useMailLink<Redeemed>('OneTimeLink', link, api.mailLinkLook, begin)
  const button = useRef<HTMLButtonElement>(null)
  const result = state.is === 'Done' ? state.result : undefined
  const token = result?.is === 'LoggedIn' ? result.token : undefined
  const running = state.is === 'Using'

  useFocusReturn(running || token !== undefined, () => button.current?.focus())

  useEffect(() => {
    if (!token) return
    const gone = new AbortController()
    void leave(token, gone.signal)
    return () => gone.abort()
  }, [token, leave])

  if (result?.is === 'GoesOn') return goOn(result.page)

  const label = token ? words.signedIn : running ? words.signingIn : words.signIn
  return (
    <MailLinkCard
      state={state}
      title={words.title('')}
      dead={words.dead}
      ask={{ label: english.mailLink.askAgain, href: `${base}/forgot-password` }}
      onRetry={() => dispatch({ type: 'lookedAgain' })}
    >
      {result?.is === 'ForcedReset' ? (
        <Statement
          key="forced-reset"
          focused
          title={words.resetPassword}
          actions={
            <ButtonLink look="primary" href={`${base}/forgot-password`}>
              {words.resetPassword}
            </ButtonLink>
          }
        >
          {english.failures['forced-reset']}
        </Statement>
      ) : (
        'email' in state && (
          <Statement
            key="good"
            focused
            title={words.title(state.email)}
            actions={
              <Form send={link && (() => void use(async (link, signal) => afterRedeem(await api.magiclinkRedeem(link, signal))))}>
                <ErrorPanel title={english.unexpected.title} message={state.is === 'GoodWithError' ? state.problem.message : undefined} />
                <Button ref={button} look="primary" type="submit" progress={token ? 'done' : running ? 'running' : undefined}>
                  {label}
                </Button>
                <Announced>{(running || token) && label}</Announced>
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
