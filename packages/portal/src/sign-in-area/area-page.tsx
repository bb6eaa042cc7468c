import { SignIn } from '@gatehouse/sign-in'
import { hasPasskeys } from '@gatehouse/sign-in/passkeys'
import { lazyPages, Preloaded, phoneApproval, withPasskeyFirst } from '@gatehouse/sign-in/rendering'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import type * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { AreaProps, PageLogo } from '@gatehouse/wire/page-props'
import { language, signInTexts } from '../messages/current.ts'
import { drawnLogo } from '../page-logo.tsx'

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

type AreaPageProps = AreaProps & { qr: typeof qrCode | undefined; logo?: PageLogo | undefined }

/**
 * Every page of the sign-in area except the first, each under its own path. Pages for a second factor continue the sign-in of the ticket in
 * the browser's cookie.
 */
export const AreaPage = ({ base, page, said, passkeys = false, submitCodeWhenComplete = false, qr, logo }: AreaPageProps) => {
  // A passkey needs a script, so the server renders the page of another factor. The result of a form stays in view.
  const asksForPasskey = useHydrated() && passkeys && said === undefined && hasPasskeys()
  const first = asksForPasskey ? withPasskeyFirst(page) : page
  return (
    <Preloaded later={{ pages: lazyPages, texts: signInTexts }} phoneApproval={phoneApproval} qrCode={qr}>
      <SignIn
        // The widget reads `initialPage` once, so a new first page needs a new key.
        key={first.at}
        server={{ basePath: base }}
        logo={drawnLogo(logo)}
        lang={language}
        messages={signInTexts}
        initialPage={first}
        loginUrl={`${base}/`}
        passkeys={passkeys}
        submitCodeWhenComplete={submitCodeWhenComplete}
        plainForms
        formResult={said}
      />
    </Preloaded>
  )
}
