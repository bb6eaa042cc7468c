import type { SSOProvider } from '@gatehouse/wire'
import type * as OpenIdClient from 'openid-client'
import type { ProviderConfig } from './config-providers.ts'
import { limits } from './limits.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** Loaded when a provider is first gone to: a server without any has no use for it, and starts without it. */
const loadClient = () => import('openid-client')

/** Who somebody is at a provider. Never an e-mail address: those change hands. */
export type Identity = { id: string; email: string | undefined; usedSecondFactor: boolean }

/** Talks to providers (OpenID Connect Core and Discovery; RFC 7636, RFC 9207, RFC 9700). Decides nothing about users. */
export const createOpenId = (deps: {
  /** Whether providers may be in private networks. */
  allowInside: boolean
  /** Address under which browsers reach us, without a slash at its end. */
  publicUrl: string
  now: () => number
}) => {
  const { allowInside, publicUrl, now } = deps
  const discovered = new Map<SSOProvider, { at: number; config: OpenIdClient.Configuration }>()

  const redirectUri = ({ name }: ProviderConfig) => `${publicUrl}/auth/sso/${name}/callback`

  /** What the provider says of itself, asked now and then. The issuer must be the one that is configured, to the letter. */
  const discover = async (provider: ProviderConfig): Promise<OpenIdClient.Configuration> => {
    const known = discovered.get(provider.provider)
    if (known && known.at + limits.provider.remembered > now()) return known.config
    const plain = new URL(provider.issuer).protocol === 'http:'
    const client = await loadClient()
    const config = await client.discovery(
      new URL(provider.issuer),
      provider.clientId,
      { client_secret: provider.clientSecret, [client.clockTolerance]: limits.provider.leeway / 1000 },
      client.ClientSecretPost(provider.clientSecret),
      {
        // The library hands over what its own fetch takes; ours takes a part of that.
        [client.customFetch]: (url, options) => createProviderFetch({ allowInside: allowInside || plain })(url, options),
        timeout: limits.provider.patience / 1000,
        execute: [client.enableNonRepudiationChecks, ...(plain ? [client.allowInsecureRequests] : [])],
      },
    )
    const algorithms = config.serverMetadata().id_token_signing_alg_values_supported ?? ['RS256']
    // The library takes what the provider lists; of that only what we do.
    if (!algorithms.some(algorithm => signatures.has(algorithm))) throw new Error('the provider signs with nothing that we accept')
    // A browser is sent to a page and nowhere else, under TLS where the issuer is.
    const entry = URL.parse(String(config.serverMetadata().authorization_endpoint))
    if (entry?.protocol !== 'https:' && !(plain && entry?.protocol === 'http:')) throw new Error('the provider has no page to sign in at')
    discovered.set(provider.provider, { at: now(), config })
    return config
  }

  /**
   * Gets ready to send a browser to a provider.
   * @returns what makes the address to send it to; `again`: the person shall sign in there anew
   * @throws what is wrong with the provider
   */
  const askAt = async (provider: ProviderConfig) => {
    const config = await discover(provider)
    const client = await loadClient()
    return async (departure: { state: string; nonce: string; verifier: string }, again: boolean): Promise<URL> =>
      client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(provider),
        scope: 'openid email profile',
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(departure.verifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login' }),
      })
  }

  /** Exchanges the code and checks everything there is to check. @throws what was wrong */
  const identify = async (
    provider: ProviderConfig,
    query: URLSearchParams,
    state: string,
    journey: { journeyNonce: string; journeyVerifier: string },
  ): Promise<Identity | undefined> => {
    const config = await discover(provider)
    const url = new URL(redirectUri(provider))
    url.search = query.toString()
    const client = await loadClient()
    const answer = await client.authorizationCodeGrant(config, url, {
      expectedState: state,
      expectedNonce: journey.journeyNonce,
      pkceCodeVerifier: journey.journeyVerifier,
      idTokenExpected: true,
    })
    const claims = answer.claims()
    const header = JSON.parse(Buffer.from(answer.id_token?.split('.')[0] ?? '', 'base64url').toString())
    if (!claims || !signatures.has(header.alg)) return undefined
    // The library looks at the end alone. By this machine's clock, as it does.
    if (claims.iat * 1000 > Date.now() + limits.provider.leeway) return undefined
    const text = (claim: unknown) => (typeof claim === 'string' && claim.length > 0 && claim.length <= 255 ? claim : undefined)
    if (provider.tenants.length > 0 && !provider.tenants.includes(text(claims.tid)?.toLowerCase() ?? '')) return undefined
    // Microsoft's `sub` differs from application to application; tenant and object are what stays (its own advice).
    const id = provider.provider === 'Azure' && text(claims.tid) ? join(text(claims.tid), text(claims.oid)) : join(claims.iss, claims.sub)
    if (id === undefined) return undefined
    // Of Microsoft's tenants each may write what it likes; only one's own is believed.
    const isOne = provider.oneTenant && !config.serverMetadata().issuer.includes('{tenantid}')
    const vouchedFor = isOne || (claims.email_verified === true && !config.serverMetadata().issuer.includes('{tenantid}'))
    const amr = Array.isArray(claims.amr) ? claims.amr : []
    return {
      id,
      email: vouchedFor ? text(claims.email) : undefined,
      usedSecondFactor: provider.trusted && (amr.includes('mfa') || isMultiFactor(claims.acr)),
    }
  }

  return { askAt, identify }
}
export type OpenId = ReturnType<typeof createOpenId>

/** Algorithms of signatures that we accept; each needs a key of the provider's that is published, and no secret that we share. */
const signatures = new Set(['RS256', 'ES256', 'PS256'])

/** Both halves, or nothing. A space is in neither. */
const join = (realm: string | undefined, subject: string | undefined): string | undefined =>
  realm && subject && !/\s/.test(realm + subject) ? `${realm} ${subject}` : undefined

/** Names by which providers say that more than one factor was used (RFC 8176 has `mfa` for amr; acr is each provider's own). */
const multiFactor = new Set(['mfa', 'aal2', 'aal3', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'])
const isMultiFactor = (acr: unknown): boolean => typeof acr === 'string' && multiFactor.has(acr.toLowerCase())
