import { createProviderFetch, isRefusedAddress } from '../http-client/guarded-fetch.ts'
import { ProviderDown } from './provider-failure.ts'

/** What a proxy answers whose application is down. */
const gatewayErrors = new Set([502, 503, 504])

/**
 * Looks whether a provider is there before a browser is sent to it, because a browser that finds nobody shows its own error page. Asks
 * for what costs the provider nothing and leaves nothing in its log: the discovery document, or, where browsers go to another origin,
 * the head of its first page. Visitors who come at the same moment share one look.
 */
export const createProviderPresence = () => {
  const looking = new Map<string, Promise<void>>()

  const look = async (issuer: string, entry: string, allowInside: boolean): Promise<void> => {
    const isSame = new URL(entry).origin === new URL(issuer).origin
    const address = isSame ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` : `${new URL(entry).origin}/`
    let answer: Response
    try {
      answer = await createProviderFetch({ allowInside })(address, { method: isSame ? 'GET' : 'HEAD' })
    } catch (cause) {
      // We must not ask there; browsers may.
      if (isRefusedAddress(cause)) return
      throw new ProviderDown('the provider cannot be reached', { cause })
    }
    if (isSame && gatewayErrors.has(answer.status)) throw new ProviderDown('the provider is down', { cause: answer })
  }

  /** @throws where the provider is not there */
  return (issuer: string, entry: string, allowInside: boolean): Promise<void> => {
    const key = `${issuer} ${entry}`
    const running = looking.get(key)
    if (running) return running
    const started = look(issuer, entry, allowInside).finally(() => looking.delete(key))
    looking.set(key, started)
    return started
  }
}
