import { Auth0Lock } from 'auth0-lock'

const logo = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
new Auth0Lock('bench', location.host, {
  container: 'root',
  configurationBaseUrl: location.origin,
  languageBaseUrl: location.origin,
  clientBaseUrl: location.origin,
  rememberLastLogin: false,
  allowSignUp: false,
  theme: { logo },
}).show()
