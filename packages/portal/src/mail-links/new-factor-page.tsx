import { FactorBinding } from '@gatehouse/sign-in'
import { Preloaded } from '@gatehouse/sign-in/rendering'
import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Statement, Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import type * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { Factor } from '@gatehouse/wire'
import { useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { english } from '../messages/en.ts'
import { afterNewFactor } from './after-mail-link.ts'
import { MailLinkCard } from './mail-link-card.tsx'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

type NewFactorPageProps = MailLinkPageProps<Factor> & {
  /** Draws the picture where the page is rendered with it in it. */
  qr?: typeof qrCode | undefined
  api: Pick<PortalApi, 'mailLinkLook' | 'newFactor'>
}

const words = english.newFactor

/** The link of a factor reset is opened here. Its first code is entered elsewhere: on the page that asked for the reset. */
export const NewFactorPage = ({ link, base, begin, qr, api }: NewFactorPageProps) => {
  const { state, dispatch, use } = useMailLink<Factor>('FactorReset', link, api.mailLinkLook, begin)
  const button = useRef<HTMLButtonElement>(null)
  const running = state.is === 'Using'

  useFocusReturn(running, () => button.current?.focus())

  return (
    <MailLinkCard
      state={state}
      title={words.title}
      dead={words.dead}
      // There is no other way to a reset than a sign-in that wants the factor.
      ask={{ label: english.mailLink.askAgain, href: `${base}/` }}
      onRetry={() => dispatch({ type: 'lookedAgain' })}
      wide={state.is === 'Done'}
    >
      {state.is === 'Done' ? (
        <Preloaded key="done" qrCode={qr}>
          <Shown factor={state.result} />
        </Preloaded>
      ) : (
        'email' in state && (
          <Statement
            key="good"
            focused
            title={words.title}
            actions={
              <Form send={link && (() => void use(async (link, signal) => afterNewFactor(await api.newFactor(link, signal))))}>
                <ErrorPanel title={english.unexpected.title} message={state.is === 'GoodWithError' ? state.problem.message : undefined} />
                <Button ref={button} look="primary" type="submit" progress={running ? 'running' : undefined}>
                  {running ? words.showing : words.show}
                </Button>
                <Announced>{running && words.showing}</Announced>
              </Form>
            }
          >
            {words.text(state.email)}
          </Statement>
        )
      )}
    </MailLinkCard>
  )
}

const Shown = ({ factor: { factorBinding } }: { factor: Factor }) => {
  const binding = factorBinding?.tag === 'TOTPBinding' ? factorBinding.contents : undefined
  return (
    <>
      <Title focused>{words.title}</Title>
      {binding ? (
        <>
          <Text>{words.scan}</Text>
          <FactorBinding uri={binding.factorTOTPBindingURI} secret={binding.factorTOTPBindingSecret} messages={english} />
          <Text>{words.enter}</Text>
        </>
      ) : (
        <ErrorPanel title={english.unexpected.title} message={english.createFactor.nothingToScan} />
      )}
    </>
  )
}
