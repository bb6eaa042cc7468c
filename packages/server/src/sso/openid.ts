import { AsyncLocalStorage } from 'node:async_hooks'
import type { SSOProvider } from '@gatehouse/wire'
import type * as OpenIdClient from 'openid-client'
import { createProviderFetch } from '../http-client/guarded-fetch.ts'
import { limits } from '../limits.ts'
import type { ProviderConfig } from './provider-config.ts'
import { ProviderDown } from './provider-failure.ts'
import { createProviderPresence } from './provider-presence.ts'

/** Load the library when a provider is first used: servers without providers never need it. */
const loadClient = () => import('openid-client')

/**
 * A user's identity at a provider. The id is never an email address, because an email address can pass to another person. `groups`: our
 * groups for the values of the claim `groups`; undefined if the configuration names none.
 */
export type Identity = { id: string; email: string | undefined; usedSecondFactor: boolean; groups: readonly string[] | undefined }

/** Why the server refuses an identity although the token exchange succeeded. The log contains these words. */
export type IdentityRefusal =
  /** The provider signed with an algorithm that the server does not accept. */
  | 'algorithm-not-accepted'
  /** The provider says that it issued the ID token in the future: the two clocks differ. */
  | 'issued-in-future'
  /** The user belongs to a Microsoft tenant that is not configured. */
  | 'other-tenant'
  /** An identifier that the server needs is missing, too long or contains a space. */
  | 'unusable-identifier'

/** State of one code exchange with a provider. */
type Exchange = { isDown: boolean; tokens?: Response }

/** Talks to providers (OpenID Connect Core and Discovery; RFC 7636, RFC 9207, RFC 9700). Decides nothing about users. */
export const createOpenId = (deps: {
  /** Whether providers may have private addresses. */
  allowInside: boolean
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  now: () => number
}) => {
  const { allowInside, publicUrl, now } = deps
  const discovered = new Map<SSOProvider, { at: number; config: OpenIdClient.Configuration }>()
  const refreshed = new Map<SSOProvider, { at: number; done: Promise<OpenIdClient.Configuration | undefined> }>()
  const checkPresence = createProviderPresence()
  const exchange = new AsyncLocalStorage<Exchange>()

  const isPlain = ({ issuer }: ProviderConfig) => new URL(issuer).protocol === 'http:'

  /**
   * Fetches for the library, and records for the current exchange whether the provider is down. Sends a code only once: a second attempt
   * gets the first response again.
   */
  const fetchAndRecord = async (fetch: ReturnType<typeof createProviderFetch>, url: string, options: Parameters<typeof fetch>[1]) => {
    const current = exchange.getStore()
    if (!current) return fetch(url, options)
    const sendsCode = options?.method === 'POST'
    if (sendsCode && current.tokens) return current.tokens.clone()
    const answer = await fetch(url, options).catch((error: unknown) => {
      current.isDown = true
      throw error
    })
    current.isDown = answer.status >= 500 || answer.status === 429
    if (sendsCode && answer.ok) current.tokens = answer.clone()
    return answer
  }

  const redirectUri = ({ name }: ProviderConfig) => `${publicUrl}/auth/sso/${name}/callback`

  const knownConfig = (provider: ProviderConfig): OpenIdClient.Configuration | undefined => {
    const known = discovered.get(provider.provider)
    return known && known.at + limits.provider.remembered > now() ? known.config : undefined
  }

  /** Reads the provider's metadata. The issuer must match the configured one exactly. */
  const discover = async (provider: ProviderConfig): Promise<OpenIdClient.Configuration> => {
    const plain = isPlain(provider)
    const client = await loadClient()
    const fetch = createProviderFetch({ allowInside: allowInside || plain })
    const config = await client.discovery(
      new URL(provider.issuer),
      provider.clientId,
      { client_secret: provider.clientSecret, [client.clockTolerance]: limits.provider.leeway / 1000 },
      client.ClientSecretPost(provider.clientSecret),
      {
        // The library passes options for the built-in fetch; our fetch accepts only some of them.
        [client.customFetch]: (url, options) => fetchAndRecord(fetch, url, options),
        timeout: limits.provider.patience / 1000,
        execute: [client.enableNonRepudiationChecks, ...(plain ? [client.allowInsecureRequests] : [])],
      },
    )
    const algorithms = config.serverMetadata().id_token_signing_alg_values_supported ?? ['RS256']
    // The library accepts every algorithm that the provider lists; we accept only these.
    if (!algorithms.some(algorithm => signatures.has(algorithm)))
      throw new Error('the provider offers no signature algorithm that we accept')
    // Redirect browsers only to an https page, or to an http page if the issuer uses http.
    const entry = URL.parse(String(config.serverMetadata().authorization_endpoint))
    if (entry?.protocol !== 'https:' && !(plain && entry?.protocol === 'http:')) throw new Error('the provider has no sign-in page')
    discovered.set(provider.provider, { at: now(), config })
    return config
  }

  /**
   * Discovers the provider again after a signature by an unknown key, because the provider may have changed its keys. The library itself
   * would not fetch the keys again within a minute. Users who return at the same time share the result.
   * @returns undefined if the discovery failed, or if a discovery a moment ago already returned `stale`
   */
  const refresh = async (provider: ProviderConfig, stale: OpenIdClient.Configuration): Promise<OpenIdClient.Configuration | undefined> => {
    const last = refreshed.get(provider.provider)
    const isRecent = last !== undefined && last.at + limits.provider.refreshed > now()
    const done = isRecent ? last.done : discover(provider).catch(() => undefined)
    if (!isRecent) refreshed.set(provider.provider, { at: now(), done })
    const config = await done
    return config === stale ? undefined : config
  }

  /**
   * Prepares the redirect of a browser to a provider.
   * @returns a function that builds the address; with `again` the provider asks the user to sign in again
   * @throws an error that says what is wrong with the provider
   */
  const prepareRedirect = async (provider: ProviderConfig) => {
    const known = knownConfig(provider)
    const config = known ?? (await discover(provider))
    const entry = String(config.serverMetadata().authorization_endpoint)
    const isElsewhere = new URL(entry).origin !== new URL(provider.issuer).origin
    if (known || isElsewhere) await checkPresence(provider.issuer, entry, allowInside || isPlain(provider))
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

  /**
   * Exchanges the code for the user's identity, or for the reason to refuse it.
   * @throws ProviderDown if the provider does not respond, otherwise the library's error
   */
  const identify = (...args: Parameters<typeof check>): Promise<Identity | { refused: IdentityRefusal }> =>
    exchange.run({ isDown: false }, async () => {
      try {
        return await check(...args)
      } catch (cause) {
        if (exchange.getStore()?.isDown || isDownCode(Object(cause).error))
          throw new ProviderDown('the provider does not answer', { cause })
        throw cause
      }
    })

  /** Exchanges the code, checks the ID token, and returns the identity or why it is refused. */
  const check = async (
    provider: ProviderConfig,
    query: URLSearchParams,
    state: string,
    journey: { journeyNonce: string; journeyVerifier: string },
  ): Promise<Identity | { refused: IdentityRefusal }> => {
    let config = knownConfig(provider) ?? (await discover(provider))
    const url = new URL(redirectUri(provider))
    url.search = query.toString()
    const client = await loadClient()
    const checks = {
      expectedState: state,
      expectedNonce: journey.journeyNonce,
      pkceCodeVerifier: journey.journeyVerifier,
      idTokenExpected: true,
    }
    const answer = await client.authorizationCodeGrant(config, url, checks).catch(async (error: unknown) => {
      const fresh = exchange.getStore()?.tokens && unknownKey.has(Object(error).code) ? await refresh(provider, config) : undefined
      if (!fresh) throw error
      config = fresh
      return client.authorizationCodeGrant(fresh, url, checks)
    })
    const claims = answer.claims()
    const header = JSON.parse(Buffer.from(answer.id_token?.split('.')[0] ?? '', 'base64url').toString())
    if (!claims) throw new Error('the provider sent no ID token')
    if (!signatures.has(header.alg)) return { refused: 'algorithm-not-accepted' }
    // The library checks only the expiry. Like the library, use this machine's clock.
    if (claims.iat * 1000 > Date.now() + limits.provider.leeway) return { refused: 'issued-in-future' }
    const text = (claim: unknown) => (typeof claim === 'string' && claim.length > 0 && claim.length <= 255 ? claim : undefined)
    const isOurTenant = provider.tenants.length === 0 || provider.tenants.includes(text(claims.tid)?.toLowerCase() ?? '')
    if (!isOurTenant) return { refused: 'other-tenant' }
    // Microsoft's `sub` differs for each application. Tenant and object id are stable, and Microsoft recommends them.
    const id = provider.provider === 'Azure' && text(claims.tid) ? join(text(claims.tid), text(claims.oid)) : join(claims.iss, claims.sub)
    if (id === undefined) return { refused: 'unusable-identifier' }
    // Trust the addresses of the operator's own tenant, and those that a provider has verified. A Microsoft issuer for all tenants proves
    // neither: each tenant can put any address into its tokens.
    const isOne = provider.oneTenant && !config.serverMetadata().issuer.includes('{tenantid}')
    const vouchedFor = isOne || (claims.email_verified === true && !config.serverMetadata().issuer.includes('{tenantid}'))
    const amr = Array.isArray(claims.amr) ? claims.amr : []
    return {
      id,
      email: vouchedFor ? text(claims.email) : undefined,
      groups: provider.groups.size > 0 ? mapped(claims.groups, provider.groups) : undefined,
      usedSecondFactor: provider.trusted && (amr.includes('mfa') || isMultiFactor(claims.acr)),
    }
  }

  return { prepareRedirect, identify }
}
export type OpenId = ReturnType<typeof createOpenId>

/** The library's codes for a token signed by an unknown key, and for a signature that does not match its key. */
const unknownKey: ReadonlySet<unknown> = new Set(['OAUTH_KEY_SELECTION_FAILED', 'OAUTH_INVALID_RESPONSE'])

/** Error codes of a provider that is temporarily unavailable (RFC 6749 §4.1.2.1). */
export const isDownCode = (code: unknown): boolean => code === 'temporarily_unavailable' || code === 'server_error'

/** The accepted signature algorithms. All use a published public key, and no shared secret. */
const signatures = new Set(['RS256', 'ES256', 'PS256'])

/** Without the claim, for example because Microsoft leaves out a long list, the user has no groups. */
const mapped = (claim: unknown, groups: ProviderConfig['groups']): string[] => {
  const names = (Array.isArray(claim) ? claim : []).flatMap(value => groups.get(value) ?? [])
  return [...new Set(names)].sort()
}

/** Joins realm and subject. Neither may contain a space. */
const join = (realm: string | undefined, subject: string | undefined): string | undefined =>
  realm && subject && !/\s/.test(realm + subject) ? `${realm} ${subject}` : undefined

/** Values that indicate more than one factor (RFC 8176 defines `mfa` for amr; acr values differ by provider). */
const multiFactor = new Set(['mfa', 'aal2', 'aal3', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'])
const isMultiFactor = (acr: unknown): boolean => typeof acr === 'string' && multiFactor.has(acr.toLowerCase())
