/** A provider that could not be reached, or said that it can't answer now: trying again later can help. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown'
}

/** What the log says of a failure. */
export type ProviderFailure = { reason: string; cause?: string; status?: number; error?: string }

/** An error code of a provider (RFC 6749 §4.1.2.1, §5.2). What has another form was not meant for a log and may be anything. */
export const errorCode = (text: unknown): string => (typeof text === 'string' && /^[\w.-]{1,64}$/.test(text) ? text : '?')

/**
 * Describes a failure for the log: names and codes down to the first cause, the HTTP status and the provider's error code. No message
 * and no description, because those can quote a token, an address or whatever the provider wrote.
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

/** Node's names of network faults, the library's of what did not hold; a DOMException has a number, which says nothing. */
const codeOf = (error: Error): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? errorCode(code) : undefined
}
