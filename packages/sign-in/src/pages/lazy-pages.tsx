import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { type ReactElement, useMemo } from 'react'
import { type Api, createApi } from '../calls/api.ts'
import type { Config } from '../config.ts'
import { hasPasskeys } from '../passkeys/has-passkeys.ts'
import { LazyApproveOnPhonePage } from './approve-on-phone/lazy-approve-on-phone.tsx'
import { CreateFactorPage } from './create-factor/create-factor.tsx'
import { verificationType, withoutPasskey } from './factor-pages.ts'
import { ForgotPasswordPage } from './forgot-password/forgot-password.tsx'
import type { PageProps } from './page-props.ts'
import { RecoveryCodePage } from './recovery-code/recovery-code.tsx'
import { ResetFactorPage } from './reset-factor/reset-factor.tsx'
import { UsePasskeyPage } from './use-passkey/use-passkey.tsx'
import { VerifyFactorPage } from './verify-factor/verify-factor.tsx'

export { loadTexts } from 'gatehouse:texts/signIn'
export { spoken } from '../messages/spoken.ts'

// Loaded by sign-in.tsx after the login page. One chunk: a user who needs one of these pages often needs the next.

type LazyPageProps = Omit<PageProps, 'api' | 'leave'> & {
  page: Exclude<SignInPage, { at: 'login' }>
  submitCodeWhenComplete: boolean
  passkeys: boolean
  config: Pick<Config, 'baseUrl' | 'socketUrl'>
  /** For tests. Default: the calls of the server. */
  api: PageProps['api'] | undefined
  /** Returns a `leave` that starts the session with this call. */
  leaveBy: (startSession: Api['loginWithToken']) => PageProps['leave']
}

/** Shows any page but the login page. */
export const LazyPage = ({ page: asked, submitCodeWhenComplete, passkeys, api: given, config, leaveBy, ...rest }: LazyPageProps) => {
  const api = useMemo(() => given ?? createApi(config, { passkeys }), [given, config, passkeys])
  const isHydrated = useHydrated()
  const page = isHydrated && !hasPasskeys() ? withoutPasskey(asked) : asked
  const area: PageProps = { ...rest, api, leave: leaveBy(api.loginWithToken) }
  switch (page.at) {
    case 'verify-factor':
      return <VerificationPage area={area} page={page} config={config} submitCodeWhenComplete={submitCodeWhenComplete} />
    case 'approve-on-phone':
      return <LazyApproveOnPhonePage {...area} page={page} config={config} askAtOnce={page.asked === undefined} />
    case 'use-passkey':
      return <UsePasskeyPage {...area} page={page} config={config} />
    case 'recovery-code':
      return <RecoveryCodePage {...area} page={page} />
    case 'create-factor':
      return <CreateFactorPage {...area} page={page} config={config} />
    case 'reset-factor':
      return <ResetFactorPage {...area} page={page} />
    case 'forgot-password':
      return <ForgotPasswordPage {...area} page={page} />
  }
}

type VerificationPageProps = Pick<LazyPageProps, 'config' | 'submitCodeWhenComplete'> & {
  area: PageProps
  page: Extract<LazyPageProps['page'], { at: 'verify-factor' }>
}

/** The page of the factor that the user is asked for first. */
const VerificationPage = ({ area, page, config, submitCodeWhenComplete }: VerificationPageProps): ReactElement => {
  switch (verificationType(page)) {
    case 'TOTP':
      return <VerifyFactorPage {...area} page={page} submitCodeWhenComplete={submitCodeWhenComplete} />
    case 'Push':
      return <LazyApproveOnPhonePage {...area} page={page} config={config} askAtOnce={false} />
    case 'Passkey':
      return <UsePasskeyPage {...area} page={{ ...page, at: 'use-passkey' }} config={config} />
  }
}
