import { createRoot } from 'react-dom/client'
import SuperTokens, { SuperTokensWrapper } from 'supertokens-auth-react'
import EmailPassword from 'supertokens-auth-react/recipe/emailpassword'
import { EmailPasswordPreBuiltUI } from 'supertokens-auth-react/recipe/emailpassword/prebuiltui'
import MultiFactor from 'supertokens-auth-react/recipe/multifactorauth'
import { MultiFactorAuthPreBuiltUI } from 'supertokens-auth-react/recipe/multifactorauth/prebuiltui'
import Session from 'supertokens-auth-react/recipe/session'
import ThirdParty, { ActiveDirectory, Github, Google } from 'supertokens-auth-react/recipe/thirdparty'
import { ThirdPartyPreBuiltUI } from 'supertokens-auth-react/recipe/thirdparty/prebuiltui'
import Totp from 'supertokens-auth-react/recipe/totp'
import { TOTPPreBuiltUI } from 'supertokens-auth-react/recipe/totp/prebuiltui'
import { canHandleRoute, getRoutingComponent } from 'supertokens-auth-react/ui'

const { origin } = location
SuperTokens.init({
  appInfo: { appName: 'bench', apiDomain: origin, websiteDomain: origin, apiBasePath: '/api', websiteBasePath: '/' },
  recipeList: [
    EmailPassword.init(),
    ThirdParty.init({ signInAndUpFeature: { providers: [Google.init(), ActiveDirectory.init(), Github.init()] } }),
    MultiFactor.init(),
    Totp.init(),
    Session.init(),
  ],
})
const screens = [EmailPasswordPreBuiltUI, ThirdPartyPreBuiltUI, MultiFactorAuthPreBuiltUI, TOTPPreBuiltUI]
const App = () => (canHandleRoute(screens) ? getRoutingComponent(screens) : <p>no route</p>)
createRoot(document.getElementById('root')).render(
  <SuperTokensWrapper>
    <App />
  </SuperTokensWrapper>,
)
