import { PreloadedQrCode } from '@gatehouse/ui/qr-code/preloaded-qr-code.ts'
import type * as QrCodeModule from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { ReactNode } from 'react'
import type * as PhoneApproval from './pages/approve-on-phone/approve-on-phone.tsx'
import { PreloadedPhoneApproval } from './pages/approve-on-phone/preloaded-phone-approval.ts'
import { type LaterPages, PreloadedPages } from './preloaded-pages.ts'

type PreloadedProps = {
  later?: LaterPages
  phoneApproval?: typeof PhoneApproval
  qrCode?: typeof QrCodeModule | undefined
  children: ReactNode
}

/** Gives the widget the modules that it would otherwise load later. React can't hydrate a server-rendered page without them. */
export const Preloaded = ({ later, phoneApproval, qrCode, children }: PreloadedProps) => (
  <PreloadedPages value={later}>
    <PreloadedPhoneApproval value={phoneApproval}>
      <PreloadedQrCode value={qrCode}>{children}</PreloadedQrCode>
    </PreloadedPhoneApproval>
  </PreloadedPages>
)
