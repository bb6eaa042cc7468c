import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { useChunk } from '@gatehouse/ui/loading/use-chunk.ts'
import { PreloadedQrCode } from '@gatehouse/ui/qr-code/preloaded-qr-code.ts'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import { Component, type ReactNode, useContext } from 'react'
import type { Messages } from '../../messages/messages.ts'
import styles from './lazy-qr-code.module.css'

const loadQrCode = retriable(() => import('@gatehouse/ui/qr-code/qr-code.tsx'))

type LazyQrCodeProps = {
  value: string
  /** Text alternative. */
  label: string
  messages: Pick<Messages, 'createFactor' | 'nextPage'>
  /** Called before the retry button, which has the focus, disappears. */
  onRetry: () => void
}

/** A QR code that loads its renderer when it first appears, with a spinner and a retry button. */
export const LazyQrCode = ({ value, label, messages: { createFactor, nextPage }, onRetry }: LazyQrCodeProps) => {
  const { chunk, retry } = useChunk(loadQrCode, true, useContext(PreloadedQrCode))
  return (
    <div className={styles.picture} data-part="qr-code">
      {chunk.is === 'loaded' && (
        <Boundary instead={<Failed text={createFactor.qrCodeFailed} />}>
          <chunk.module.QrCode value={value} label={label} />
        </Boundary>
      )}
      {chunk.is === 'loading' && <Spinner />}
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
    <p data-part="text">{text}</p>
    {children}
  </div>
)

/** A value that is too long for a QR code throws during rendering and would unmount the widget. Only a class can catch that. */
class Boundary extends Component<{ instead: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
