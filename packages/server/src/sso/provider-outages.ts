import type { SsoProviderName } from '@gatehouse/wire'
import { limits } from '../limits.ts'

/** An outage that the sign-in page mentions for a while. `isRecent` during the first half of that time. */
export type Outage = { provider: SsoProviderName; isRecent: boolean }

/**
 * Remembers which providers failed to respond to this server a short while ago. Counts only failures that this server saw. Attack: the
 * browser sends the error in a callback address, so a false error could make users avoid a provider that works.
 */
export const createProviderOutages = (now: () => number) => {
  const seen = new Map<SsoProviderName, number>()
  const { shown } = limits.providerOutage
  return {
    note: (provider: SsoProviderName) => void seen.set(provider, now()),
    end: (provider: SsoProviderName) => void seen.delete(provider),
    list: (): Outage[] =>
      [...seen].flatMap(([provider, at]) => {
        const age = now() - at
        return age >= 0 && age < shown ? [{ provider, isRecent: age < shown / 2 }] : []
      }),
  }
}
