import type { AccountClaims, Configuration, JWK, Provider } from 'oidc-provider'
import { createMemory } from './memory.ts'

/** A person as a provider tells of her; `sub` is her name there. */
export type Person = AccountClaims

/** The whole of an OpenID provider but its pages: one client, PKCE asked for, no consent, nobody remembered to be signed in. */
export const createIssuer = (
  Maker: typeof Provider,
  settings: {
    /** Its address, which may have a path. */
    issuer: string
    client: { id: string; secret: string; redirectUris: readonly string[] }
    /** Private keys to sign with. */
    keys: readonly JWK[]
    find: (sub: string) => Person | undefined
    /** Address of the page where somebody signs in. */
    signInPage: (uid: string) => string
    /** What is shown to a browser whose request makes no sense. */
    errorPage: (code: string) => string
    /** Headers of that page. */
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
    // `tid` and `oid` are Microsoft's tenant and object; `amr` and `acr` tell how somebody signed in, as told at the end of that.
    claims: { openid: ['sub', 'tid', 'oid', 'amr', 'acr'], email: ['email', 'email_verified'], profile: ['name'] },
    // In the ID token itself, as the large providers have it.
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

/** Takes the provider's memory of who signed in out of a request: each journey then begins with the question who it is. */
export const forgetSession = (headers: { cookie?: string | undefined }) => {
  headers.cookie = headers.cookie
    ?.split('; ')
    .filter(one => !one.startsWith('_session='))
    .join('; ')
}
