/** One result in one line, and what to do about it. Contains no secret. */
export type Finding = { level: 'ok' | 'warning' | 'problem'; about: string; says: string }

export const about = (what: string) => {
  // Another server's message may span several lines; a finding is one line.
  const finding =
    (level: Finding['level']) =>
    (says: string): Finding => ({ level, about: what, says: says.replace(/\s+/g, ' ').trim() })
  return { ok: finding('ok'), warning: finding('warning'), problem: finding('problem') }
}

/** Why something failed. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // If several addresses failed, each has an error; the first is enough.
  const own = error.message || (error instanceof AggregateError ? reasonOf(error.errors[0]) : error.name)
  return error.cause === undefined ? own : `${own}: ${reasonOf(error.cause)}`
}
