import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type IdentityProvider, json } from '../../sso/identity-provider.ts'

export type WalkProvider = Pick<IdentityProvider, 'issuer' | 'users' | 'visit' | 'env' | 'stop'>

/** Seconds that an ID token is valid. */
const lifetime = 300
const client = { id: 'gatehouse', secret: 'a-client-secret-that-is-long-enough' }
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * An OpenID provider that signs users in without a request. The provider in the tests of single sign-on takes ten times as long per
 * sign-in, and the walk tests only what follows.
 */
export const startWalkProvider = async (): Promise<WalkProvider> => {
  const users: WalkProvider['users'] = new Map()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** The claims of the sign-in that each code stands for. */
  const codes = new Map<string, object>()

  const answer = (path: string, body: string, response: ServerResponse) => {
    switch (path) {
      case '/.well-known/openid-configuration':
        return json(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        })(response)
      case '/keys':
        return json(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'ES256' }] })(response)
      case '/token': {
        const claims = codes.get(new URLSearchParams(body).get('code') ?? '')
        if (!claims) return json(400, { error: 'invalid_grant' })(response)
        const signed = `${base64url({ alg: 'ES256', kid: 'key' })}.${base64url(claims)}`
        const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
        return json(200, { access_token: 'unused', token_type: 'Bearer', expires_in: lifetime, id_token: `${signed}.${signature}` })(
          response,
        )
      }
      // The server checks that the provider's sign-in page answers.
      default:
        return json(200, {})(response)
    }
  }
  const server = createServer(async (request, response) => answer(request.url?.split('?')[0] ?? '', await text(request), response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://127.0.0.1:${address.port}`

  const visit = async (location: string | undefined, account: string): Promise<URL> => {
    const { searchParams: asked } = new URL(location ?? '')
    const code = randomUUID()
    const iat = Math.floor(Date.now() / 1000)
    codes.set(code, { iss: issuer, aud: client.id, iat, exp: iat + lifetime, nonce: asked.get('nonce'), ...users.get(account) })
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
    return back
  }

  return {
    issuer,
    users,
    visit,
    env: as => ({
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
