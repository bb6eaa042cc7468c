import { Component, type ReactNode, useContext, useRef } from 'react'
import { Here } from '../here.ts'
import type { Messages } from '../messages/messages.ts'
import { LinkButton, TextLink } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useChunk } from '../use-chunk.ts'
import styles from './factor-binding.module.css'

type FactorBindingProps = { uri: string; secret: string; messages: Messages }

/** What an authenticator app needs to know: as a picture, as text, and as a link for an app on the same device. */
export const FactorBinding = ({ uri, secret, messages }: FactorBindingProps) => {
  const words = messages.createFactor
  const key = useRef<HTMLElement>(null)
  const figure = useRef<HTMLElement>(null)
  return (
    <figure className={styles.figure} ref={figure} tabIndex={-1}>
      <Picture uri={uri} messages={messages} onRetry={() => figure.current?.focus()} />
      <figcaption className={styles.byHand}>
        <p className={styles.caption}>{words.cannotScan}</p>
        <code className={styles.key} ref={key}>
          {inGroups(secret)}
        </code>
        <div className={styles.links}>
          <CopyButton text={secret} shownIn={key} words={words} />
          {uri.startsWith('otpauth:') && <TextLink href={uri}>{words.open}</TextLink>}
        </div>
      </figcaption>
    </figure>
  )
}

const loadQrCode = () => import('../ui/qr-code.tsx')

type PictureProps = Omit<FactorBindingProps, 'secret'> & {
  /** The button that has the focus is about to go. */
  onRetry: () => void
}

const Picture = ({ uri, messages: { createFactor, nextPage }, onRetry }: PictureProps) => {
  const { chunk, retry } = useChunk(loadQrCode, true, useContext(Here).qrCode)
  return (
    <div className={styles.picture}>
      {chunk.is === 'here' && (
        <Boundary instead={<Failed text={createFactor.qrCodeFailed} />}>
          <chunk.module.QrCode value={uri} label={createFactor.qrCode} />
        </Boundary>
      )}
      {chunk.is === 'coming' && <Spinner />}
      {chunk.is === 'failed' && (
        <Failed text={createFactor.qrCodeFailed}>
          <LinkButton
            onClick={() => {
              onRetry()
              retry()
            }}
          >
            {nextPage.retry}
          </LinkButton>
        </Failed>
      )}
    </div>
  )
}

const Failed = ({ text, children }: { text: string; children?: ReactNode }) => (
  <div className={styles.failed} role="alert">
    <p>{text}</p>
    {children}
  </div>
)

/** What is longer than a QR code can be throws while it is drawn, and would take the whole area along. React has no other way to catch that. */
class Boundary extends Component<{ instead: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}

/** Four by four, as people read and type it. */
const inGroups = (secret: string) => secret.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$& ')
