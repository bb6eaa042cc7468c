/** A cookie in the format of Playwright's `addCookies`. */
export type TestCookie = {
  name: string
  value: string
  domain: string
  path: string
  /** Epoch seconds; -1 for a cookie of the browser's session. */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

const sameSites = ['Strict', 'Lax', 'None'] as const

/** Reads a Set-Cookie header (RFC 6265 §5.2). */
const readCookie = (line: string, host: string, now: number): TestCookie => {
  const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
  const attribute = (name: string) => {
    const found = attributes.find(one => one.toLowerCase().split('=')[0] === name)
    return found === undefined ? undefined : found.slice(name.length + 1)
  }
  const age = attribute('max-age')
  const until = attribute('expires')
  const domain = attribute('domain')
  const sameSite = sameSites.find(one => one.toLowerCase() === attribute('samesite')?.toLowerCase())
  return {
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    domain: domain ? `.${domain.replace(/^\./, '')}` : host,
    path: attribute('path') ?? '/',
    expires: age !== undefined ? now / 1000 + Number(age) : until !== undefined ? Date.parse(until) / 1000 : -1,
    httpOnly: attribute('httponly') !== undefined,
    secure: attribute('secure') !== undefined,
    sameSite: sameSite ?? 'Lax',
  }
}

/** The cookies of one browser at one server. */
export const createCookieJar = (host: string) => {
  const kept = new Map<string, TestCookie>()
  const keep = (lines: readonly string[], now = Date.now()) => {
    for (const line of lines) {
      const cookie = readCookie(line, host, now)
      const id = `${cookie.name};${cookie.domain};${cookie.path}`
      if (cookie.expires >= 0 && cookie.expires * 1000 <= now) kept.delete(id)
      else kept.set(id, cookie)
    }
  }
  const list = (): TestCookie[] => [...kept.values()]
  /** The value of the header Cookie. */
  const header = () =>
    list()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  return { keep, list, header }
}
