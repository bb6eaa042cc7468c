/** Thrown when a provider cannot be reached or is temporarily unavailable: a retry can succeed. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown'
}

/** The log fields of a failure. */
export type ProviderFailure = { reason: string; cause?: string; status?: number; error?: string }

/** A provider's error code (RFC 6749 §4.1.2.1, §5.2). Replaces text of any other form, which may contain anything. */
export const errorCode = (text: unknown): string => (typeof text === 'string' && /^[\w.-]{1,64}$/.test(text) ? text : '?')

/**
 * Describes a failure for the log: names and codes of the cause chain, the HTTP status, and the provider's error code. Omits messages and
 * descriptions, because they can contain tokens or addresses.
 */
export const failureOf = (error: unknown): ProviderFailure => {
  const chain: Error[] = []
  const found: Omit<ProviderFailure, 'reason'> = {}
  for (let at: unknown = error; at !== undefined && chain.length < 10; at = at instanceof Error ? at.cause : undefined) {
    if (at instanceof Response) found.status = at.status
    if (!(at instanceof Error)) break
    chain.push(at)
    const { status, error: code } = at as { status?: unknown; error?: unknown }
    if (typeof status === 'number') found.status = status
    if (code !== undefined) found.error = errorCode(code)
  }
  const top = chain.find(one => !(one instanceof ProviderDown))
  const last = chain.at(-1)
  return {
    reason: top ? [top.name, codeOf(top)].filter(Boolean).join(' ') : 'unknown',
    ...(last && last !== chain[0] && { cause: codeOf(last) ?? last.name }),
    ...found,
  }
}

/** Node's codes of network errors, and the library's codes of failed checks. DOMException has only a number, which is useless here. */
const codeOf = (error: Error): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? errorCode(code) : undefined
}
