import { ButtonLink, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { useRef } from 'react'
import type { Messages } from '../../messages/messages.ts'
import styles from './factor-binding.module.css'
import { LazyQrCode } from './lazy-qr-code.tsx'

type FactorBindingProps = {
  uri: string
  secret: string
  messages: Pick<Messages, 'createFactor' | 'nextPage'>
  /** The look of the button on phones. `outline` where the page has another primary button. */
  look?: 'primary' | 'outline'
}

/** An authenticator's secret as a QR code, as text, and as a link for an app on the same device. On phones, the link is a button above the QR code. */
export const FactorBinding = ({ uri, secret, messages, look = 'primary' }: FactorBindingProps) => {
  const words = messages.createFactor
  const key = useRef<HTMLElement>(null)
  const figure = useRef<HTMLElement>(null)
  return (
    <figure className={styles.figure} data-part="authenticator" ref={figure} tabIndex={-1}>
      {opensInApp(uri) && (
        <div className={styles.onPhone}>
          <ButtonLink look={look} href={uri}>
            {words.openOnPhone}
          </ButtonLink>
        </div>
      )}
      <LazyQrCode value={uri} label={words.qrCode} messages={messages} onRetry={() => figure.current?.focus()} />
      <figcaption className={styles.byHand}>
        <p className={styles.caption} data-part="note">
          {words.cannotScan}
        </p>
        <code className={styles.key} data-part="key" dir="ltr" ref={key}>
          {inGroups(secret)}
        </code>
        <div className={styles.links}>
          <CopyButton text={secret} shownIn={key} words={words} />
          {opensInApp(uri) && (
            <span className={styles.onComputer}>
              <TextLink href={uri}>{words.open}</TextLink>
            </span>
          )}
        </div>
      </figcaption>
    </figure>
  )
}

/** Addresses of other schemes, such as `javascript:`, get no link. */
export const opensInApp = (uri: string) => uri.startsWith('otpauth:')

/** In groups of four, which are easier to read and type. */
const inGroups = (secret: string) => secret.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$& ')
