import { SignIn } from '@gatehouse/sign-in'
import { lazyPages, Preloaded, phoneApproval } from '@gatehouse/sign-in/rendering'
import type * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'

import type { AreaProps, PageLogo } from '@gatehouse/wire/page-props'

export const isAreaProps = (props: unknown): props is AreaProps =>
  typeof props === 'object' &&
  props !== null &&
  'base' in props &&
  typeof props.base === 'string' &&
  'page' in props &&
  typeof props.page === 'object' &&
  props.page !== null &&
  'at' in props.page

/** Whether the page shows a QR code, whose script is large. */
export const showsQrCode = ({ page }: AreaProps) => page.at === 'create-factor'

/** Every page of the sign-in area except the first, each under its own path. It continues the sign-in of a form or a ticket. */
export const AreaPage = ({ base, page, said, qr, logo }: AreaProps & { qr: typeof qrCode | undefined; logo?: PageLogo | undefined }) => (
  <Preloaded lazyPages={lazyPages} phoneApproval={phoneApproval} qrCode={qr}>
    <SignIn server={{ basePath: base }} logo={logo} initialPage={page} loginUrl={`${base}/`} plainForms formResult={said} />
  </Preloaded>
)
