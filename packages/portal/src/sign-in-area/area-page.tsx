import { type Page, type Said, SignIn } from '@gatehouse/sign-in'
import { lazyPages, Preloaded, phoneApproval } from '@gatehouse/sign-in/rendering'
import type * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { SsoProviderName } from '@gatehouse/wire'

/** What the server tells of a page of the sign-in area. No password is ever in it. */
export type AreaProps = {
  /** Path under which the server answers, without a slash at the end. */
  base: string
  page: Page
  /** What came of a form that was sent without a script. */
  said?: Said
  /** What the login page offers. Default: all. */
  providers?: readonly SsoProviderName[]
}

export const isAreaProps = (props: unknown): props is AreaProps =>
  typeof props === 'object' &&
  props !== null &&
  'base' in props &&
  typeof props.base === 'string' &&
  'page' in props &&
  typeof props.page === 'object' &&
  props.page !== null &&
  'at' in props.page

/** Whether a page shows a QR code, whose code is large. */
export const showsQrCode = ({ page }: AreaProps) => page.at === 'create-factor'

/** Every page of the sign-in area but the first, under an address of its own: it goes on where a form or a ticket has led. */
export const AreaPage = ({ base, page, said, qr }: AreaProps & { qr: typeof qrCode | undefined }) => (
  <Preloaded lazyPages={lazyPages} phoneApproval={phoneApproval} qrCode={qr}>
    <SignIn server={{ basePath: base }} initialPage={page} loginAddress={`${base}/`} plainForms said={said} />
  </Preloaded>
)
