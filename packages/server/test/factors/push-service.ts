import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

export type Posted = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/** A server on loopback that accepts messages like push services (RFC 8030 §5), ntfy and Gotify, and answers with a chosen status. */
export const startPushEndpoint = async () => {
  const taker = { url: '', posted: [] as Posted[], status: 201, location: '', connections: 0, hangs: false }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      taker.posted.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      if (taker.hangs) return
      response.writeHead(taker.status, { location: taker.location || `${taker.url}/message/${taker.posted.length}` }).end()
    })
  })
  server.on('connection', () => {
    taker.connections++
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  taker.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return taker
}

const hkdf = (ikm: Buffer, salt: Buffer, info: Buffer | string, length: number) => Buffer.from(hkdfSync('sha256', ikm, salt, info, length))

/** A browser's subscription and the decryption of its messages, written from RFC 8291 §3.4 and RFC 8188. */
export const makeSubscription = (endpoint: string) => {
  const pair = createECDH('prime256v1')
  const own = pair.generateKeys()
  const auth = randomBytes(16)
  const decrypt = (body: Buffer): string => {
    const salt = body.subarray(0, 16)
    const sender = body.subarray(21, 21 + body.readUInt8(20))
    const sealed = body.subarray(21 + sender.length)
    const ikm = hkdf(pair.computeSecret(sender), auth, Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]), 32)
    const key = hkdf(ikm, salt, 'Content-Encoding: aes128gcm\0', 16)
    const decipher = createDecipheriv('aes-128-gcm', key, hkdf(ikm, salt, 'Content-Encoding: nonce\0', 12))
    decipher.setAuthTag(sealed.subarray(-16))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
  }
  return { subscription: { endpoint, keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') } }, decrypt }
}

/** A message's VAPID claims, and whether the key they name has signed them (RFC 8292 §2, §3). */
export const readVapid = (authorization: string | undefined) => {
  const [, token = '', k = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return { isSigned, key: k, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number; sub: string } }
}
