import { FactorBinding } from '@gatehouse/sign-in'
import { Preloaded } from '@gatehouse/sign-in/rendering'
import { Statement, Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { BesideQrCode } from '@gatehouse/ui/qr-code/beside-qr-code.tsx'
import type * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { Factor } from '@gatehouse/wire'
import type { PortalApi } from '../calls/portal-api.ts'
import { portalTexts, signInTexts } from '../messages/current.ts'
import { withElements } from '../messages/with-elements.tsx'
import { SubmitForm } from '../submit-form.tsx'
import { afterNewFactor } from './after-mail-link.ts'
import styles from './mail-link-card.module.css'
import { MailLinkCard } from './mail-link-card.tsx'
import { type MailLinkPageProps, useMailLink } from './use-mail-link.ts'

type NewFactorPageProps = MailLinkPageProps<Factor> & {
  /** Draws the QR code. Present if the server renders it. */
  qr?: typeof qrCode | undefined
  api: Pick<PortalApi, 'mailLinkLook' | 'newFactor'>
}

const words = () => portalTexts.newFactor

/** Opens the link of a factor reset and shows the new QR code. The user enters the first code on the page that asked for the reset. */
export const NewFactorPage = ({ link, base, begin, qr, api }: NewFactorPageProps) => {
  const { state, problem, isRunning, use, lookAgain } = useMailLink<Factor>('FactorReset', link, api.mailLinkLook, begin)
  const show = () => void use(async (link, signal) => afterNewFactor(await api.newFactor(link, signal)))

  return (
    <MailLinkCard
      state={state}
      title={words().title}
      dead={words().dead}
      // Only a sign-in that asks for the factor can start another reset.
      ask={{ label: portalTexts.mailLink.askAgain, href: `${base}/` }}
      onRetry={lookAgain}
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
            title={words().title}
            actions={
              <SubmitForm
                label={isRunning ? words().showing : words().show}
                progress={isRunning ? 'running' : undefined}
                problem={problem}
                send={link && show}
              />
            }
          >
            {state.email ? withElements(words().textFor, <strong>{state.email}</strong>) : words().text}
          </Statement>
        )
      )}
    </MailLinkCard>
  )
}

const Shown = ({ factor: { factorBinding } }: { factor: Factor }) => {
  const binding = factorBinding?.tag === 'TOTPBinding' ? factorBinding.contents : undefined
  return (
    <BesideQrCode>
      <Title focused>{words().title}</Title>
      {binding ? (
        <>
          <Text>{words().scan}</Text>
          <FactorBinding uri={binding.factorTOTPBindingURI} secret={binding.factorTOTPBindingSecret} messages={signInTexts} />
          <p className={styles.next}>{words().enter}</p>
        </>
      ) : (
        <ErrorPanel title={signInTexts.unexpected.title} message={signInTexts.createFactor.nothingToScan} />
      )}
    </BesideQrCode>
  )
}
