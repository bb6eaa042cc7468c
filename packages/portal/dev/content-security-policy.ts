/**
 * The server's policy, with two additions for Vite: the nonce of its own scripts and style elements, and the worker with which its client
 * waits for a stopped server. The rest stays as in production, so a page that breaks the policy breaks in development too.
 */
export const allowVite = (policy: string | string[], nonce: string): string => {
  const directives = String(policy).split(';')
  const allowed = directives.map(one => (/^\s*(script|style)-src\s/.test(one) ? `${one} 'nonce-${nonce}'` : one))
  return [...allowed, "worker-src 'self' blob:"].join(';')
}
