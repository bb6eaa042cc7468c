import { TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { useRef } from 'react'
import type { Messages } from '../../messages/messages.ts'
import styles from './factor-binding.module.css'
import { LazyQrCode } from './lazy-qr-code.tsx'

type FactorBindingProps = { uri: string; secret: string; messages: Pick<Messages, 'createFactor' | 'nextPage'> }

/** An authenticator's secret as a QR code, as text, and as a link for an app on the same device. */
export const FactorBinding = ({ uri, secret, messages }: FactorBindingProps) => {
  const words = messages.createFactor
  const key = useRef<HTMLElement>(null)
  const figure = useRef<HTMLElement>(null)
  return (
    <figure className={styles.figure} ref={figure} tabIndex={-1}>
      <LazyQrCode value={uri} label={words.qrCode} messages={messages} onRetry={() => figure.current?.focus()} />
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

/** In groups of four, which are easier to read and type. */
const inGroups = (secret: string) => secret.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$& ')
