const node = (group, attributes, label) => ({
  type: 'input',
  group,
  attributes: { node_type: 'input', disabled: false, ...attributes },
  messages: [],
  meta: label ? { label: { type: 'info', context: {}, ...label } } : {},
})
const provider = name => {
  const id = name.toLowerCase()
  const context = { provider: name, provider_id: id }
  return node('oidc', { name: 'provider', type: 'submit', value: id }, { id: 1010002, text: `Sign in with ${name}`, context })
}
const text = { name: 'identifier', type: 'text', value: '', required: true, autocomplete: 'username webauthn' }
const password = { name: 'password', type: 'password', required: true, autocomplete: 'current-password' }
const submit = { name: 'method', type: 'submit', value: 'password' }
const nodes = [
  node('default', { name: 'csrf_token', type: 'hidden', required: true, value: 'x' }),
  ...['Google', 'Microsoft', 'Github'].map(provider),
  node('default', text, { id: 1070004, text: 'E-Mail' }),
  node('password', password, { id: 1070001, text: 'Password' }),
  node('password', submit, { id: 1010022, text: 'Sign in with password' }),
]
export const answer = (_, { pathname, origin }) => {
  if (pathname.startsWith('/sessions/')) return { status: 401, body: { error: { code: 401 } } }
  if (!pathname.startsWith('/self-service/login/flows')) return undefined
  const at = '2026-01-01T00:00:00Z'
  const times = { expires_at: '2099-01-01T00:00:00Z', issued_at: at, created_at: at, updated_at: at }
  const ui = { action: `${origin}/self-service/login?flow=1`, method: 'POST', messages: [], nodes }
  return {
    body: { id: '1', type: 'browser', state: 'choose_method', request_url: origin, refresh: false, requested_aal: 'aal1', ...times, ui },
  }
}
