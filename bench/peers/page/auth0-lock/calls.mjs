const strategy = name => ({ name, connections: [{ name }] })
const database = {
  name: 'Username-Password-Authentication',
  forgot_url: '/forgot',
  signup_url: '/sign-up',
  showSignup: false,
  showForgot: true,
  passwordPolicy: 'none',
}
export const answer = (_, { pathname, origin }) => {
  if (/^\/(user|\.well-known|sso|usernamepassword|co)\//.test(pathname)) return { status: 404, body: {} }
  if (!pathname.startsWith('/client/')) return undefined
  const client = {
    id: 'bench',
    tenant: 'bench',
    subscription: 'free',
    authorize: `${origin}/authorize`,
    callback: origin,
    hasAllowedOrigins: true,
    changePassword: `${origin}/lo/forgot`,
    strategies: [{ name: 'auth0', connections: [database] }, strategy('google-oauth2'), strategy('windowslive'), strategy('github')],
  }
  return { type: 'text/javascript', text: `Auth0.setClient(${JSON.stringify(client)});` }
}
