import { NextResponse } from 'next/server'
import { server } from './app/server.js'

/** A Content-Security-Policy with a nonce, which Next.js gives to its own scripts. */
export const proxy = request => {
  const nonce = btoa(crypto.randomUUID())
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${server.scheme}://${server.host}:${server.port}`,
  ].join('; ')
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set('x-nonce', nonce)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}
