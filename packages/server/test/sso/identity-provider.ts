import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, constants as padding, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { createIssuer, type Person } from '../../src/sso/demo-provider/issuer.ts'

export type Claims = Record<string, unknown>
type Algorithm = 'RS256' | 'RS512' | 'PS256' | 'ES256' | 'HS256' | 'none'

/** Faults to simulate. Each replaces or changes an answer. */
export type Faults = {
  /** The ID token to send, given the correct one's claims. */
  idToken?: (claims: Claims, signed: Signed) => string
  /** Changes the callback address. */
  callback?: (url: URL) => void
  /** Changes the provider's metadata. */
  metadata?: (metadata: Claims) => Claims
  /** Replaces a whole answer. */
  discovery?: (response: ServerResponse) => void
  jwks?: (response: ServerResponse) => void
  token?: (response: ServerResponse) => void
}

/** Signs like the provider: with its key for the algorithm, or with another key. */
type Signed = (claims: Claims, algorithm?: Algorithm, key?: KeyObject | string) => string

const made = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
}
/** The provider's public key as PEM, which vulnerable clients accept as an HMAC secret. */
export const publicKey = createPublicKey(made.rsa).export({ type: 'spki', format: 'pem' }).toString()
/** A key the provider does not publish. */
export const anotherKey = createPrivateKey(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)

const signed: Signed = (claims, algorithm = 'RS256', key) => {
  const kid = algorithm === 'ES256' ? 'ec' : algorithm === 'PS256' ? 'pss' : 'rsa'
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: algorithm, typ: 'JWT', ...(algorithm !== 'none' && { kid }) })}.${part(claims)}`
  const data = Buffer.from(text)
  const own = key ?? (algorithm === 'ES256' ? made.ec : made.rsa)
  const privateKey = typeof own === 'string' ? made.rsa : own
  const signature = (): Buffer => {
    switch (algorithm) {
      case 'none':
        return Buffer.alloc(0)
      case 'HS256':
        return createHmac('sha256', own).update(data).digest()
      case 'RS256':
        return sign('sha256', data, privateKey)
      case 'RS512':
        return sign('sha512', data, privateKey)
      case 'PS256':
        return sign('sha256', data, { key: privateKey, padding: padding.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
      case 'ES256':
        return sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    }
  }
  return `${text}.${signature().toString('base64url')}`
}

/** Names the user to sign in, for requests without a page; an unknown name cancels. */
const signInAs = 'x-sign-in-as'

/**
 * A real OpenID provider on this machine that can be made to misbehave. `visit` passes through it without a page; a browser sees
 * a page with 'Continue' (as `state.user`) and 'Cancel'.
 * @param publicUrl address of the Gatehouse that is its client
 * @param port the port of an earlier instance, to replace it
 */
export const startIdentityProvider = async ({ publicUrl = 'http://localhost:8080', port = 0 } = {}) => {
  const users = new Map<string, Person>()
  const state = { user: '' }
  const faults: Faults = {}
  /** All requests, oldest first. */
  const asked: { path: string; query: URLSearchParams; cookie: string }[] = []
  /** Every token and code issued. */
  const given: string[] = []

  const server = createServer()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://127.0.0.1:${address.port}`
  const client = { id: 'gatehouse', secret: 'a-client-secret-that-is-long-enough-for-hs256' }

  const provider = createIssuer(Provider, {
    issuer,
    client: { ...client, redirectUris: ['google', 'azure', 'pak'].map(name => `${publicUrl}/auth/sso/${name}/callback`) },
    keys: [
      { ...made.rsa.export({ format: 'jwk' }), kid: 'rsa', use: 'sig', alg: 'RS256' },
      { ...made.rsa.export({ format: 'jwk' }), kid: 'pss', use: 'sig', alg: 'PS256' },
      { ...made.ec.export({ format: 'jwk' }), kid: 'ec', use: 'sig', alg: 'ES256' },
    ],
    find: sub => users.get(sub),
    signInPage: uid => `/sign-in/${uid}`,
    errorPage: code => `<title>Error</title><h1>${code}</h1>`,
  })
  const callback = provider.callback()

  const finish = (request: IncomingMessage, response: ServerResponse, sub: string) => {
    const account = users.get(sub)
    if (!account) return provider.interactionFinished(request, response, { error: 'access_denied' })
    // The authentication method belongs to the sign-in, not to the user. A provider may send anything here.
    const { amr, acr } = account as { amr?: string[]; acr?: string }
    return provider.interactionFinished(request, response, { login: { accountId: sub, amr, acr } })
  }

  const showPage = (response: ServerResponse, uid: string) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Identity provider</title><main><h1>Identity provider</h1>
      <form method="post" action="/sign-in/${uid}/continue"><button>Continue</button></form>
      <form method="post" action="/sign-in/${uid}/cancel"><button>Cancel</button></form></main></html>`)
  }

  /** Modifies the provider's answer: its body or its redirect. */
  const changing = (path: string, response: ServerResponse) => {
    const end = response.end.bind(response)
    const changed = (text: string): string => {
      if (path === '/.well-known/openid-configuration' && faults.metadata) return JSON.stringify(faults.metadata(JSON.parse(text)))
      if (path !== '/token' || response.statusCode !== 200) return text
      const answer: { id_token: string; access_token: string } = JSON.parse(text)
      given.push(answer.access_token)
      const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1] ?? '', 'base64url').toString())
      if (faults.idToken) answer.id_token = faults.idToken(claims, signed)
      given.push(answer.id_token)
      return JSON.stringify(answer)
    }
    const ended = (body?: unknown) => {
      const location = response.getHeader('location')
      if (typeof location === 'string' && location.startsWith(publicUrl)) {
        const url = new URL(location)
        given.push(url.searchParams.get('code') ?? '')
        faults.callback?.(url)
        response.setHeader('location', url.href)
      }
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) return end()
      const text = changed(body.toString())
      response.setHeader('content-length', Buffer.byteLength(text))
      return end(text)
    }
    Object.assign(response, { end: ended })
  }

  const instead = (path: string) => {
    switch (path) {
      case '/.well-known/openid-configuration':
        return faults.discovery
      case '/jwks':
        return faults.jwks
      case '/token':
        return faults.token
      default:
        return undefined
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', issuer)
    asked.push({ path, query, cookie: request.headers.cookie ?? '' })
    const replaced = instead(path)
    if (replaced) return replaced(response)
    changing(path, response)
    const [, uid, act] = /^\/sign-in\/([\w-]+)(?:\/(continue|cancel))?$/.exec(path) ?? []
    if (!uid) return callback(request, response)
    const requested = request.headers[signInAs]
    if (typeof requested === 'string') return finish(request, response, requested)
    if (request.method === 'POST') return finish(request, response, act === 'continue' ? state.user : 'cancel')
    return showPage(response, uid)
  }
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.headersSent || response.writeHead(500).end())
  })

  /** Follows Gatehouse's redirect, signs in as a user, and returns the callback address. */
  const visit = async (location: string | undefined, account: string): Promise<URL> => {
    const jar = new Map<string, string>()
    let at = new URL(location ?? '')
    for (let steps = 0; steps < 10; steps++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await fetch(at, { redirect: 'manual', headers: { cookie, [signInAs]: account } })
      for (const one of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
        jar.set(name, value)
      }
      const next = reply.headers.get('location')
      if (next === null) throw new Error(`the provider stops at ${at.pathname}: ${reply.status} ${await reply.text()}`)
      at = new URL(next, at)
      if (at.origin !== issuer) return at
    }
    throw new Error('the provider leads in circles')
  }

  return {
    issuer,
    port: address.port,
    client,
    users,
    /** The user that 'Continue' signs in. */
    state,
    faults,
    asked,
    given,
    visit,
    /** The settings that make Gatehouse use this server as one of its providers. */
    env: (as: 'GOOGLE' | 'AZURE' | 'PAK') => ({
      [`GATEHOUSE_${as}_ISSUER`]: issuer,
      [`GATEHOUSE_${as}_CLIENT_ID`]: client.id,
      [`GATEHOUSE_${as}_CLIENT_SECRET`]: client.secret,
    }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** Answers with JSON. */
export const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Sends one byte per second and never finishes. */
export const drip = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 1000)
  response.on('close', () => clearInterval(timer))
  response.write('{')
}
