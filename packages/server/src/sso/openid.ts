import { AsyncLocalStorage } from 'node:async_hooks'
import type { SSOProvider } from '@gatehouse/wire'
import type * as OpenIdClient from 'openid-client'
import { createProviderFetch } from '../http-client/guarded-fetch.ts'
import { limits } from '../limits.ts'
import type { ProviderConfig } from './provider-config.ts'
import { ProviderDown } from './provider-failure.ts'
import { createProviderPresence } from './provider-presence.ts'

/** Loaded when a provider is first gone to: a server without any has no use for it, and starts without it. */
const loadClient = () => import('openid-client')

/** Who somebody is at a provider. Never an email address: those change hands. */
export type Identity = { id: string; email: string | undefined; usedSecondFactor: boolean }

/** What happened between us and a provider while a code was exchanged. */
type Exchange = { isDown: boolean; tokens?: Response }

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
  const refreshed = new Map<SSOProvider, { at: number; done: Promise<OpenIdClient.Configuration | undefined> }>()
  const checkPresence = createProviderPresence()
  const exchange = new AsyncLocalStorage<Exchange>()

  const isPlain = ({ issuer }: ProviderConfig) => new URL(issuer).protocol === 'http:'

  /** Fetches for the library, and notes for the exchange under way what came. A code is sent once: the second time its answer comes again. */
  const fetchNoting = async (fetch: ReturnType<typeof createProviderFetch>, url: string, options: Parameters<typeof fetch>[1]) => {
    const noted = exchange.getStore()
    if (!noted) return fetch(url, options)
    const sendsCode = options?.method === 'POST'
    if (sendsCode && noted.tokens) return noted.tokens.clone()
    const answer = await fetch(url, options).catch((error: unknown) => {
      noted.isDown = true
      throw error
    })
    noted.isDown = answer.status >= 500 || answer.status === 429
    if (sendsCode && answer.ok) noted.tokens = answer.clone()
    return answer
  }

  const redirectUri = ({ name }: ProviderConfig) => `${publicUrl}/auth/sso/${name}/callback`

  const remembered = (provider: ProviderConfig): OpenIdClient.Configuration | undefined => {
    const known = discovered.get(provider.provider)
    return known && known.at + limits.provider.remembered > now() ? known.config : undefined
  }

  /** What the provider says of itself. The issuer must be the one that is configured, to the letter. */
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
        // The library hands over what its own fetch takes; ours takes a part of that.
        [client.customFetch]: (url, options) => fetchNoting(fetch, url, options),
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
   * The provider signed with a key that we do not know, so it may have changed its keys. The library would not ask for them again within
   * a minute; with what the provider says of itself now it does. Users who come back at the same moment share the answer.
   * @returns nothing new where we have asked a moment ago
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
   * Gets ready to send a browser to a provider.
   * @returns what makes the address to send it to; `again`: the person shall sign in there anew
   * @throws what is wrong with the provider
   */
  const askAt = async (provider: ProviderConfig) => {
    const known = remembered(provider)
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

  /** @throws what was wrong, as a `ProviderDown` where the provider did not answer */
  const identify = (...of: Parameters<typeof check>): Promise<Identity | undefined> =>
    exchange.run({ isDown: false }, async () => {
      try {
        return await check(...of)
      } catch (cause) {
        if (exchange.getStore()?.isDown || isDownCode(Object(cause).error))
          throw new ProviderDown('the provider does not answer', { cause })
        throw cause
      }
    })

  /** Exchanges the code and checks everything there is to check. */
  const check = async (
    provider: ProviderConfig,
    query: URLSearchParams,
    state: string,
    journey: { journeyNonce: string; journeyVerifier: string },
  ): Promise<Identity | undefined> => {
    let config = remembered(provider) ?? (await discover(provider))
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

/** What the library says of a token for whose signature there is no key, and of one whose signature does not fit the key. */
const unknownKey: ReadonlySet<unknown> = new Set(['OAUTH_KEY_SELECTION_FAILED', 'OAUTH_INVALID_RESPONSE'])

/** Error codes by which a provider says that it can't answer now (RFC 6749 §4.1.2.1). */
export const isDownCode = (code: unknown): boolean => code === 'temporarily_unavailable' || code === 'server_error'

/** Algorithms of signatures that we accept; each needs a key of the provider's that is published, and no secret that we share. */
const signatures = new Set(['RS256', 'ES256', 'PS256'])

/** Both halves, or nothing. A space is in neither. */
const join = (realm: string | undefined, subject: string | undefined): string | undefined =>
  realm && subject && !/\s/.test(realm + subject) ? `${realm} ${subject}` : undefined

/** Names by which providers say that more than one factor was used (RFC 8176 has `mfa` for amr; acr is each provider's own). */
const multiFactor = new Set(['mfa', 'aal2', 'aal3', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'])
const isMultiFactor = (acr: unknown): boolean => typeof acr === 'string' && multiFactor.has(acr.toLowerCase())
