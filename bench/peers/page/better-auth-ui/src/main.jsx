import './main.css'
import { AuthUIProvider, AuthView } from '@daveyplate/better-auth-ui'
import { magicLinkClient, twoFactorClient } from 'better-auth/client/plugins'
import { createAuthClient } from 'better-auth/react'
import { createRoot } from 'react-dom/client'

const authClient = createAuthClient({ plugins: [magicLinkClient(), twoFactorClient()] })
createRoot(document.getElementById('root')).render(
  <AuthUIProvider
    authClient={authClient}
    magicLink
    twoFactor={['totp']}
    social={{ providers: ['google', 'microsoft', 'github'] }}
    navigate={href => location.assign(href)}
    replace={href => location.replace(href)}
  >
    <AuthView path="sign-in" />
  </AuthUIProvider>,
)
