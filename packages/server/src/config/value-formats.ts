import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** `host:port`, with an IPv6 address in brackets. */
export const parseListen = (text: string): { host: string; port: number } | undefined => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  return host && Number(port) >= 1 && Number(port) <= 65535 ? { host, port: Number(port) } : undefined
}

/** An http or https address without a user, query or fragment. */
export const parseBaseUrl = (text: string): URL | undefined => {
  const url = URL.parse(text)
  // Other characters have a meaning in the router's patterns.
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && /^[\w./~-]+$/.test(url.pathname)
  return plain && !url.pathname.includes('//') ? url : undefined
}

/** Whether the server may redirect browsers to an address: http or https, or a path on its own host. `//host` would be another host. */
export const isTarget = (text: string): boolean =>
  /^\/(?![/\\])[^\s\\]*$/.test(text) || (/^https?:\/\/[^\s\\]+$/.test(text) && URL.canParse(text))

export const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** Whether a host name or address names this machine (RFC 6761 §6.3). Accepts IPv6 with and without brackets. */
export const isHere = (host: string): boolean => /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/.test(host)

/**
 * Creates a folder if needed and checks that it is writable.
 * @returns the problem, or undefined
 */
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

/** Creates folders one by one: Node's recursive mkdir never returns on file systems that refuse folders. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** The known name that a mistyped one probably means. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  known.find(other => letters(other) === letters(name) || other.startsWith(name) || name.startsWith(other))

const letters = (name: string) => [...name].sort().join('')

/** `sqlite:` and a path, or `postgres://…` or `postgresql://…`. */
export const parseDatabaseUrl = (text: string): string | undefined =>
  /^sqlite:[^:]+$/.test(text) || (/^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)) ? text : undefined
