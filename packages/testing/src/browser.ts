import { decode, encode, type Route } from '@gatehouse/wire'
import { createCookieJar } from './cookies.ts'

/**
 * Gives each browser its own address, in the range for benchmarks (RFC 2544). Otherwise the server's rate limits would fail tests that sign
 * in often. The server accepts the address, because this machine is a trusted proxy.
 */
let browsers = 0
const nextAddress = () => {
  browsers++
  return `198.${18 + ((browsers >> 16) & 1)}.${(browsers >> 8) & 255}.${browsers & 255}`
}

/** Where the server is: `address` is that of its socket, and `url` is its public address. */
export type Place = { address: string; url: string }

/** A browser on a page of the server. It makes calls and keeps the server's cookies. */
export const openBrowser = ({ address, url }: Place) => {
  const { origin, pathname, hostname } = new URL(url)
  const jar = createCookieJar(hostname)
  const from = nextAddress()

  /** @throws Error if the server refuses the call */
  const call = async <Input, Answer>(route: Route<Input, Answer>, input: NoInfer<Input>): Promise<Answer> => {
    const response = await fetch(address + pathname.replace(/\/$/, '') + route.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin,
        cookie: jar.header(),
        'x-forwarded-for': from,
        'user-agent': 'Gatehouse testing',
      },
      body: JSON.stringify(encode(route.request, input)),
      redirect: 'manual',
    })
    jar.keep(response.headers.getSetCookie())
    const text = await response.text()
    if (!response.ok) throw new Error(`${route.path} answered ${response.status}: ${text}`)
    const decoded = decode(route.response, text === '' ? undefined : JSON.parse(text))
    if (!decoded.ok) throw new Error(`${route.path}: ${decoded.error}`)
    return decoded.value
  }
  return { jar, call }
}

export type Browser = ReturnType<typeof openBrowser>
