import type { AccountClaims, Configuration, JWK, Provider } from 'oidc-provider'
import { createMemory } from './memory.ts'

/** The claims of a user; `sub` is the user's id at the provider. */
export type Person = AccountClaims

/** An OpenID provider without pages: one client, PKCE required, no consent. */
export const createIssuer = (
  Maker: typeof Provider,
  settings: {
    /** The issuer's address, which may have a path. */
    issuer: string
    client: { id: string; secret: string; redirectUris: readonly string[] }
    /** Private keys that sign tokens. */
    keys: readonly JWK[]
    find: (sub: string) => Person | undefined
    /** Address of the sign-in page. */
    signInPage: (uid: string) => string
    /** The page for requests that cannot continue. */
    errorPage: (code: string) => string
    /** Headers of the error page. */
    headers?: Readonly<Record<string, string>>
  },
): Provider => {
  const path = new URL(settings.issuer).pathname
  const configuration: Configuration = {
    adapter: createMemory(),
    clients: [
      {
        client_id: settings.client.id,
        client_secret: settings.client.secret,
        redirect_uris: settings.client.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: settings.keys },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    // `tid` and `oid` are Microsoft's tenant and object ids; `amr` and `acr` say how the user signed in.
    claims: { openid: ['sub', 'tid', 'oid', 'amr', 'acr'], email: ['email', 'email_verified'], profile: ['name'] },
    // Put the claims into the ID token, as the large providers do.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: { AccessToken: 300, AuthorizationCode: 60, IdToken: 300, Interaction: 600, Session: 600, Grant: 600 },
    cookies: { long: { httpOnly: true, sameSite: 'lax', path } },
    findAccount: (_, sub) => {
      const person = settings.find(sub)
      return person && { accountId: sub, claims: () => person }
    },
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => settings.signInPage(uid) },
    renderError: (context, { error }) => {
      context.type = 'html'
      context.set({ ...settings.headers })
      context.body = settings.errorPage(error)
    },
  }
  return new Maker(settings.issuer, configuration)
}

/** Removes the provider's session cookie from a request, so that the provider asks at every sign-in which user signs in. */
export const forgetSession = (headers: { cookie?: string | undefined }) => {
  headers.cookie = headers.cookie
    ?.split('; ')
    .filter(one => !one.startsWith('_session='))
    .join('; ')
}
