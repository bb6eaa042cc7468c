/**
 * The server's policy, with the nonce that Vite puts on its own scripts and style elements, and with the worker by which Vite's client waits
 * for a server that has gone. The rest stays as in production, so a page that breaks the policy breaks in development too.
 */
export const allowVite = (policy: string | string[], nonce: string): string => {
  const directives = String(policy).split(';')
  const allowed = directives.map(one => (/^\s*(script|style)-src\s/.test(one) ? `${one} 'nonce-${nonce}'` : one))
  return [...allowed, "worker-src 'self' blob:"].join(';')
}
