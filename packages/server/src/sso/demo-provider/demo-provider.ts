import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { JWK, Provider } from 'oidc-provider'
import type { ProviderConfig } from '../provider-config.ts'
import { createIssuer, forgetSession, type Person } from './issuer.ts'
import { errorPage, headers, signInPage } from './pages.ts'

const imitations = [
  { provider: 'Google', name: 'google', imitated: 'Google', path: '/google' },
  { provider: 'Azure', name: 'azure', imitated: 'Microsoft', path: '/microsoft' },
] as const

/** Invented users. The last one has the address of a development server's administrator: an address alone must not open an account. */
const people: readonly Person[] = [
  { sub: 'demo-1', name: 'Noor Demo', email: 'noor@demo.example', email_verified: true },
  { sub: 'demo-2', name: 'Emil Demo', email: 'emil@demo.example', email_verified: true },
  { sub: 'demo-3', name: 'Admin Demo', email: 'admin@example.com', email_verified: true },
]

/**
 * Starts imitations of Google and Microsoft on this machine, for a development server without a configured provider. Generates new keys
 * and secrets at each start.
 * @param publicUrl the server's public address, without a trailing slash
 * @returns `undefined` if `oidc-provider` is not installed (it is optional), or if browsers connect from other machines
 */
export const startDemoProvider = async ({
  publicUrl,
}: {
  publicUrl: string
}): Promise<{ providers: ProviderConfig[]; close: () => Promise<void> } | undefined> => {
  if (!/^(localhost|127\.0\.0\.1)$/.test(new URL(publicUrl).hostname)) return undefined
  if (!isInstalled()) return undefined
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://localhost:${portOf(server)}`

  const clients = imitations.map(imitation => ({
    ...imitation,
    issuer: origin + imitation.path,
    client: {
      id: `demo-${imitation.name}`,
      secret: randomBytes(32).toString('base64url'),
      redirectUris: [`${publicUrl}/auth/sso/${imitation.name}/callback`],
    },
  }))

  // The library is large, and most users of a development server never need it. Load it at the first request.
  const open = async () => {
    const { Provider } = await import('oidc-provider')
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
    return new Map(clients.map(one => [one.path, handlerOf(Provider, one, key, publicUrl)]))
  }
  let opened: ReturnType<typeof open> | undefined

  server.on('request', (request: IncomingMessage & { originalUrl?: string }, response) => {
    const url = request.url ?? ''
    const one = imitations.find(({ path }) => url.startsWith(`${path}/`))
    if (!one) return void response.writeHead(404).end()
    forgetSession(request.headers)
    // The library compares these two URLs to find the path at which the provider is mounted.
    request.originalUrl = url
    request.url = url.slice(one.path.length)
    opened ??= open()
    opened.then(issuers => issuers.get(one.path)?.(request, response)).catch(() => response.headersSent || response.writeHead(500).end())
  })

  return {
    providers: clients.map(({ provider, name, issuer, client }) => ({
      provider,
      name,
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      trusted: false,
      oneTenant: false,
      tenants: [],
      groups: new Map(),
    })),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

type Imitation = (typeof imitations)[number] & { issuer: string; client: { id: string; secret: string; redirectUris: string[] } }

/** The request handler of one imitation. */
const handlerOf = (Maker: typeof Provider, { name, imitated, path, issuer, client }: Imitation, key: JWK, publicUrl: string) => {
  const provider = createIssuer(Maker, {
    issuer,
    client,
    keys: [{ ...key, alg: 'RS256', use: 'sig' }],
    find: sub => {
      const person = people.find(one => one.sub === sub)
      // Microsoft identifies users by these two claims.
      return person && { ...person, ...(name === 'azure' && { tid: 'demo', oid: sub }) }
    },
    signInPage: uid => `${path}/who/${uid}`,
    errorPage: () => errorPage(imitated, `${publicUrl}/`),
    headers,
  })
  const callback = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse) => {
    const [, uid, chosen] = /^\/who\/([\w-]+)(?:\/([\w-]+))?$/.exec(request.url ?? '') ?? []
    if (!uid) return callback(request, response)
    const known = await provider.interactionDetails(request, response).catch(() => undefined)
    if (known?.uid !== uid) return void response.writeHead(400, headers).end(errorPage(imitated, `${publicUrl}/`))
    if (chosen === 'cancel') return provider.interactionFinished(request, response, { error: 'access_denied' })
    const person = people.find(({ sub }) => sub === chosen)
    if (person) return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
    const shown = people.map(({ sub, name: called, email }) => ({
      name: String(called),
      email: String(email),
      href: `${path}/who/${uid}/${sub}`,
    }))
    response.writeHead(200, headers).end(signInPage(imitated, shown, `${path}/who/${uid}/cancel`))
  }
}

/** Whether the library is installed. Does not load it. */
const isInstalled = (): boolean => {
  try {
    return import.meta.resolve('oidc-provider') !== ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}

const portOf = (server: ReturnType<typeof createServer>): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the demo provider has no port')
  return address.port
}
