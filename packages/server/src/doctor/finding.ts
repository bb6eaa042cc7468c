/** One thing that was looked at, in one line, and what to do about it. Nothing in it is a secret. */
export type Finding = { level: 'ok' | 'warning' | 'problem'; about: string; says: string }

/** Findings about one thing. */
export const about = (what: string) => {
  // Others' words may come in several lines.
  const finding =
    (level: Finding['level']) =>
    (says: string): Finding => ({ level, about: what, says: says.replace(/\s+/g, ' ').trim() })
  return { ok: finding('ok'), warning: finding('warning'), problem: finding('problem') }
}

/** Why something failed. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // Of several addresses that were tried in vain each has its own; the first says enough.
  const own = error.message || (error instanceof AggregateError ? reasonOf(error.errors[0]) : error.name)
  return error.cause === undefined ? own : `${own}: ${reasonOf(error.cause)}`
}
