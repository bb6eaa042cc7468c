const input = (name, type, more) => ({ name, type, ...more })
const providers = ['google', 'microsoft', 'github']
const action = (name, inputs) => ({ action: name, href: `/login?action=${name}`, inputs, description: '' })
const state = (name, actions) => ({
  name,
  status: 200,
  csrf_token: 'x',
  payload: {},
  links: [],
  actions: Object.fromEntries(actions.map(one => [one.action, one])),
})
const hidden = { hidden: true }
const preflight = state('preflight', [
  action('register_client_capabilities', {
    webauthn_available: input('webauthn_available', 'boolean', { hidden: true, required: true }),
    webauthn_conditional_mediation_available: input('webauthn_conditional_mediation_available', 'boolean', hidden),
    webauthn_platform_authenticator_available: input('webauthn_platform_authenticator_available', 'boolean', hidden),
  }),
])
const allowed = providers.map(value => ({ name: value[0].toUpperCase() + value.slice(1), value }))
const begin = state('login_init', [
  action('continue_with_login_identifier', { email: input('email', 'email', { required: true, max_length: 120 }) }),
  action('thirdparty_oauth', {
    provider: input('provider', 'string', { hidden: true, required: true, allowed_values: allowed }),
    redirect_to: input('redirect_to', 'string', { hidden: true, required: true }),
  }),
])
const config = {
  password: { enabled: true },
  emails: { require_verification: false },
  account: { allow_deletion: false, allow_signup: true },
  providers,
}
export const answer = (method, { pathname, searchParams }) => {
  if (pathname.startsWith('/sessions/validate')) return { body: { is_valid: false } }
  if (pathname === '/me') return { status: 401, body: {} }
  if (pathname === '/.well-known/config') return { body: config }
  if (pathname !== '/login' || method !== 'POST') return undefined
  return { body: searchParams.get('action') ? begin : preflight }
}
