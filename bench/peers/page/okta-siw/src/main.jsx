import '@okta/okta-signin-widget/css/okta-sign-in.min.css'
import OktaSignIn from '@okta/okta-signin-widget/oie'

const widget = new OktaSignIn({
  baseUrl: location.origin,
  stateToken: 'dummy',
  useClassicEngine: false,
  features: { rememberMe: true },
})
widget.renderEl(
  { el: '#root' },
  () => {},
  error => {
    throw error
  },
)
