/**
 * Address of the Gatehouse server. Omitted parts come from the address of the page that shows the widget (§7).
 */
export type ServerAddress = {
  /** `http` or `https`. */
  scheme?: string | undefined
  /** Host name or IP address, without a port; IPv6 addresses in brackets. */
  host?: string | undefined
  /** Port number; an empty string means the scheme's default port. */
  port?: number | string | undefined
  /** Path under which the server answers, for example `/gate`. Default: none. */
  basePath?: string | undefined
}

/** Addresses from a {@link ServerAddress}, without a trailing slash. */
export type Config = {
  /** Base of every call: `https://example.com:8443/gate`. */
  baseUrl: string
  /** Address of live updates: `wss://example.com:8443/gate/sockets`. */
  socketUrl: string
  /**
   * Base of every link: the base URL, or only the base path if the page comes from the server. Links are then
   * the same in server-rendered pages, where no location exists, as in the browser.
   */
  linkBase: string
}

/**
 * Composes the addresses from scheme, host and port. Each falls back to the current location (§7).
 * @param location for tests only. A server has none, so all addresses are relative to the page's host.
 */
export const createConfig = (
  { scheme, host, port, basePath = '' }: ServerAddress = {},
  location: Pick<Location, 'protocol' | 'hostname' | 'port'> | undefined = globalThis.location,
): Config => {
  const path = basePath.replace(/^\/*(?=[^/])/, '/').replace(/\/+$/, '')
  const isExplicit = scheme !== undefined || host !== undefined || port !== undefined
  const name = host ?? location?.hostname
  if (!name) return { baseUrl: path, socketUrl: `${path}/sockets`, linkBase: path }

  const protocol = (scheme ?? location?.protocol ?? 'https').replace(/:$/, '').toLowerCase()
  const portPart = String(port ?? location?.port ?? '')
  const rest = `://${name}${portPart && `:${portPart}`}${path}`
  const baseUrl = `${protocol}${rest}`
  return { baseUrl, socketUrl: `${protocol === 'https' ? 'wss' : 'ws'}${rest}/sockets`, linkBase: isExplicit ? baseUrl : path }
}
