/** Where browsers reach the server in development. The server itself listens on a port that only the front knows. */
export type Settings = ReturnType<typeof readSettings>

/**
 * Reads the variables that the front needs. The server checks the public URL and the trusted proxies, but never sees the address
 * where the front listens.
 * @throws {Error} GATEHOUSE_LISTEN is not host:port
 */
export const readSettings = (environment: NodeJS.ProcessEnv) => {
  const listen = URL.parse(`http://${environment.GATEHOUSE_LISTEN || '127.0.0.1:8080'}`)
  if (!listen) throw new Error('GATEHOUSE_LISTEN must be host:port, for example 127.0.0.1:8080')
  const { port, hostname } = listen
  const publicUrl = environment.GATEHOUSE_PUBLIC_URL || `http://localhost:${port || 80}`
  const { pathname = '/', hostname: publicHost = 'localhost' } = URL.parse(publicUrl) ?? {}
  return {
    listen: { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 80) },
    publicUrl,
    publicHost,
    /** The path of the public URL, with a slash at both ends. */
    base: pathname.endsWith('/') ? pathname : `${pathname}/`,
    trustedProxies: environment.GATEHOUSE_TRUSTED_PROXIES,
  }
}
