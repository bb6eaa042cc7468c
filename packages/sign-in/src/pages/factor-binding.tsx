import { useRef } from 'react'
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
  return (
    <figure className={styles.figure}>
      <Picture uri={uri} messages={messages} />
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

const Picture = ({ uri, messages: { createFactor, nextPage } }: Omit<FactorBindingProps, 'secret'>) => {
  const { chunk, retry } = useChunk(loadQrCode, true)
  return (
    <div className={styles.picture}>
      {chunk.is === 'here' && <chunk.module.QrCode value={uri} label={createFactor.qrCode} />}
      {chunk.is === 'coming' && <Spinner />}
      {chunk.is === 'failed' && (
        <div className={styles.failed} role="alert">
          <p>{createFactor.qrCodeFailed}</p>
          <LinkButton onClick={retry}>{nextPage.retry}</LinkButton>
        </div>
      )}
    </div>
  )
}

/** Four by four, as people read and type it. */
const inGroups = (secret: string) => secret.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$& ')
