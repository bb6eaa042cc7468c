import { createProviderFetch, isRefusedAddress } from '../http-client/guarded-fetch.ts'
import { ProviderDown } from './provider-failure.ts'

/** Responses of a proxy whose application is down. */
const gatewayErrors = new Set([502, 503, 504])

/**
 * Checks that a provider responds before redirecting a browser to it, because a browser that gets no response shows its own error page.
 * Requests the discovery document or, if the sign-in page has another origin, sends HEAD to that origin's start page: both are cheap and
 * leave no failed sign-in in the provider's log. Parallel visitors share one check.
 */
export const createProviderPresence = () => {
  const checks = new Map<string, Promise<void>>()

  const check = async (issuer: string, entry: string, allowInside: boolean): Promise<void> => {
    const isSame = new URL(entry).origin === new URL(issuer).origin
    const address = isSame ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` : `${new URL(entry).origin}/`
    let answer: Response
    try {
      answer = await createProviderFetch({ allowInside })(address, { method: isSame ? 'GET' : 'HEAD' })
    } catch (cause) {
      // This server refuses to request private addresses, but browsers may reach them.
      if (isRefusedAddress(cause)) return
      throw new ProviderDown('the provider cannot be reached', { cause })
    }
    if (isSame && gatewayErrors.has(answer.status)) throw new ProviderDown('the provider is down', { cause: answer })
  }

  /** @throws ProviderDown if the provider does not respond */
  return (issuer: string, entry: string, allowInside: boolean): Promise<void> => {
    const key = `${issuer} ${entry}`
    const running = checks.get(key)
    if (running) return running
    const started = check(issuer, entry, allowInside).finally(() => checks.delete(key))
    checks.set(key, started)
    return started
  }
}
