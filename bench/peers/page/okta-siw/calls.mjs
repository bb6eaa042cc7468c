const type = 'application/ion+json; okta-version=1.0.0'
const step = more => ({ rel: ['create-form'], method: 'POST', produces: type, accepts: 'application/json; okta-version=1.0.0', ...more })
const state = { name: 'stateHandle', required: true, value: 's', visible: false, mutable: false }

/** The smallest reply for a form with user name and password, three providers and password recovery. */
export const answer = (_, { pathname, origin }) => {
  if (!/^\/(idp|oauth2|api)\//.test(pathname)) return undefined
  const provider = (kind, name) => ({
    name: 'redirect-idp',
    type: kind,
    idp: { id: name, name },
    href: `${origin}/sso/${name}`,
    method: 'GET',
  })
  const identify = step({
    name: 'identify',
    href: `${origin}/idp/idx/identify`,
    value: [
      { name: 'identifier', label: 'Username', required: true },
      {
        name: 'credentials',
        type: 'object',
        form: { value: [{ name: 'passcode', label: 'Password', secret: true }] },
        required: true,
      },
      { name: 'rememberMe', type: 'boolean', label: 'Remember this device' },
      state,
    ],
  })
  const recover = step({ name: 'recover', href: `${origin}/idp/idx/recover`, value: [state] })
  const password = { type: 'password', key: 'okta_password', id: 'a', displayName: 'Password', methods: [{ type: 'password' }] }
  return {
    type,
    body: {
      version: '1.0.0',
      stateHandle: 's',
      expiresAt: '2099-01-01T00:00:00.000Z',
      intent: 'LOGIN',
      remediation: {
        type: 'array',
        value: [identify, provider('GOOGLE', 'Google'), provider('MICROSOFT', 'Microsoft'), provider('FACEBOOK', 'Facebook')],
      },
      currentAuthenticator: { type: 'object', value: { recover, ...password } },
      cancel: step({ name: 'cancel', href: `${origin}/idp/idx/cancel`, value: [state] }),
      app: { type: 'object', value: { name: 'oidc_client', label: 'bench', id: 'x' } },
    },
  }
}
