import { PreloadedQrCode } from '@gatehouse/ui/qr-code/preloaded-qr-code.ts'
import type * as QrCodeModule from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { ReactNode } from 'react'
import type * as PhoneApproval from './pages/approve-on-phone/approve-on-phone.tsx'
import { PreloadedPhoneApproval } from './pages/approve-on-phone/preloaded-phone-approval.ts'
import type * as LazyPages from './pages/lazy-pages.tsx'
import { PreloadedPages } from './preloaded-pages.ts'

type PreloadedProps = {
  lazyPages?: typeof LazyPages
  phoneApproval?: typeof PhoneApproval
  qrCode?: typeof QrCodeModule | undefined
  children: ReactNode
}

/** Gives the widget modules that it would load later. React can only hydrate a server-rendered page if they are there at once. */
export const Preloaded = ({ lazyPages, phoneApproval, qrCode, children }: PreloadedProps) => (
  <PreloadedPages value={lazyPages}>
    <PreloadedPhoneApproval value={phoneApproval}>
      <PreloadedQrCode value={qrCode}>{children}</PreloadedQrCode>
    </PreloadedPhoneApproval>
  </PreloadedPages>
)
