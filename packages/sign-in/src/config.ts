/**
 * Where the Gatehouse server is. Every part left out is taken from the address of the page that shows the widget, each
 * part by itself (§7).
 */
export type ServerAddress = {
  /** `http` or `https`. */
  scheme?: string | undefined
  /** Host name or IP address without a port; an IPv6 address in brackets. */
  host?: string | undefined
  /** Port number; an empty string stands for the scheme's own port. */
  port?: number | string | undefined
  /** Path under which the server answers, for example `/gate`. Default: none. */
  basePath?: string | undefined
}

/** Addresses made of a {@link ServerAddress}, without a slash at the end. */
export type Config = {
  /** What the path of every call is appended to: `https://example.com:8443/gate`. */
  baseUrl: string
  /** Where live updates come from: `wss://example.com:8443/gate/sockets`. */
  socketUrl: string
  /**
   * What the path of a link is appended to: the base URL, or the base path alone when the server is the page's own. So
   * a page that is rendered on the server, where no location is known, says the same as in the browser.
   */
  linkBase: string
}

/**
 * Composes base and socket URL from scheme, host and port, each falling back to the current location (§7).
 * @param location Only tests hand one in; on a server there is none, and all addresses are then relative to the page's host.
 */
export const createConfig = (
  { scheme, host, port, basePath = '' }: ServerAddress = {},
  location: Pick<Location, 'protocol' | 'hostname' | 'port'> | undefined = globalThis.location,
): Config => {
  const path = basePath.replace(/^\/*(?=[^/])/, '/').replace(/\/+$/, '')
  const elsewhere = scheme !== undefined || host !== undefined || port !== undefined
  const name = host ?? location?.hostname
  if (!name) return { baseUrl: path, socketUrl: `${path}/sockets`, linkBase: path }

  const protocol = (scheme ?? location?.protocol ?? 'https').replace(/:$/, '').toLowerCase()
  const portPart = String(port ?? location?.port ?? '')
  const rest = `://${name}${portPart && `:${portPart}`}${path}`
  const baseUrl = `${protocol}${rest}`
  return { baseUrl, socketUrl: `${protocol === 'https' ? 'wss' : 'ws'}${rest}/sockets`, linkBase: elsewhere ? baseUrl : path }
}
