import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { encode, type Route } from '@gatehouse/wire'
import type { Target } from './target.ts'
import { broken } from './verdict.ts'

/** A response of the server, as received. Redirects are not followed. */
export type Answer = {
  /** Method and path of the request. */
  of: string
  status: number
  headers: Record<string, string | string[] | undefined>
  cookies: string[]
  text: string
  /** Milliseconds from sending the request to the end of the response. */
  took: number
}

/** What to send. Strings and bytes are sent unchanged, everything else as JSON. */
export type Sent = { method?: string; path: string; body?: unknown; headers?: Record<string, string> }

/** How long to wait for a response, in milliseconds. */
const patience = 30_000
/** The longest Retry-After that the run waits for, in seconds. */
const longestWait = 120

/** The parsed body, or undefined if it is not JSON. */
export const jsonOf = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends requests to the server and keeps every response, for the rules that all responses must follow. */
export const createClient = (target: Target, say: (line: string) => void = () => {}) => {
  const answers: Answer[] = []
  const base = target.url.pathname.replace(/\/$/, '')

  const exchange = ({ method = 'POST', path, body, headers = {} }: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const send = target.url.protocol === 'https:' ? requestHttps : requestHttp
      const start = performance.now()
      const request = send(
        new URL(base + path, target.url),
        {
          method,
          headers: {
            accept: 'application/json',
            ...headers,
            ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
          },
          timeout: patience,
        },
        response => {
          const parts: Buffer[] = []
          response.on('data', part => parts.push(part))
          response.on('error', reject)
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response
            const text = Buffer.concat(parts).toString()
            const answer = {
              of: `${method} ${path}`,
              status,
              headers,
              cookies: headers['set-cookie'] ?? [],
              text,
              took: performance.now() - start,
            }
            answers.push(answer)
            resolve(answer)
          })
        },
      )
      request.on('timeout', () => request.destroy(new Error(`no response within ${patience / 1000} s`)))
      request.on('error', reject)
      request.end(payload)
    })

  /** Sends a request. After a 429 or 503 with Retry-After, waits and sends it again. */
  const send = async (sent: Sent, isLimitMeant = false): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      const answer = await exchange(sent).catch((error: Error) =>
        broken(`${sent.path}: ${error.message || 'the server closed the connection'}`),
      )
      const seconds = Number(answer.headers['retry-after'])
      const isEarly = answer.status === 429 || answer.status === 503
      if (isLimitMeant || !isEarly || tries > 3 || !(seconds >= 0 && seconds <= longestWait)) return answer
      say(`The server asks to wait ${seconds} s (${answer.status} to ${answer.of}).`)
      await sleep(seconds * 1000 + 50)
    }
  }

  /** A browser with its own cookies, on a page of the target's origin. */
  const openBrowser = () => {
    const jar = new Map<string, string>()
    const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const keep = (answer: Answer) => {
      for (const line of answer.cookies) {
        const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
        const name = pair.slice(0, pair.indexOf('='))
        const isOver = attributes.some(
          one => /^max-age=(0|-\d+)$/i.test(one) || (/^expires=/i.test(one) && Date.parse(one.slice(8)) <= Date.now()),
        )
        if (isOver) jar.delete(name)
        else jar.set(name, pair.slice(pair.indexOf('=') + 1))
      }
      return answer
    }
    const own = (headers: Record<string, string>) => ({ ...(jar.size > 0 && { cookie: cookie() }), ...headers })
    return {
      jar,
      cookie,
      post: async (path: string, body: unknown, headers: Record<string, string> = {}) =>
        keep(await send({ path, body, headers: own({ 'content-type': 'application/json', origin: target.origin, ...headers }) })),
      get: async (path: string, headers: Record<string, string> = {}) => keep(await send({ method: 'GET', path, headers: own(headers) })),
      /** Makes a call of the wire format. */
      call: async <Input>(route: Route<Input>, input: NoInfer<Input>) =>
        keep(
          await send({
            path: route.path,
            body: JSON.stringify(encode(route.request, input)),
            headers: own({ 'content-type': 'application/json', origin: target.origin }),
          }),
        ),
    }
  }

  return { answers, send, openBrowser }
}

export type Client = ReturnType<typeof createClient>
export type Browser = ReturnType<Client['openBrowser']>
