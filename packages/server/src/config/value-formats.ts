import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { dirname } from 'node:path'

/** `host:port`, an IPv6 address in brackets. */
export const parseListen = (text: string): { host: string; port: number } | undefined => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  return host && Number(port) >= 1 && Number(port) <= 65535 ? { host, port: Number(port) } : undefined
}

/** An http or https address without user, query and fragment. */
export const parseBaseUrl = (text: string): URL | undefined => {
  const url = URL.parse(text)
  // A path of other characters would mean something to the router.
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && /^[\w./~-]+$/.test(url.pathname)
  return plain && !url.pathname.includes('//') ? url : undefined
}

/** Where people may be sent: an http or https address, or a path of our own host. `//host` would be somebody else's. */
export const isTarget = (text: string): boolean =>
  /^\/(?![/\\])[^\s\\]*$/.test(text) || (/^https?:\/\/[^\s\\]+$/.test(text) && URL.canParse(text))

export const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** Whether a host's name or address, an IPv6 one in brackets or without, is this machine's own (RFC 6761 §6.3). */
export const isHere = (host: string): boolean => /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/.test(host)

/** An IP address, or a network as `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/')
  if (isIP(address) === 0 || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false
  // A network of all addresses would let anybody choose theirs, and Fastify takes none.
  return prefix === undefined || (Number(prefix) > 0 && Number(prefix) <= (isIPv6(address) ? 128 : 32))
}

/** Makes a folder ready to write in; says what is in the way, if anything is. */
export const makeWritable = (folder: string): string | undefined => {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return `cannot be written (${code}); choose another, or give this user write permission`
  }
}

/** Folder by folder, for Node's own recursive way never ends where a file system takes no folders. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** The known name that a mistyped one was probably meant to be. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  known.find(other => letters(other) === letters(name) || other.startsWith(name) || name.startsWith(other))

const letters = (name: string) => [...name].sort().join('')
