import { renderToReadableStream } from 'react-dom/server'
import { ServerRouter } from 'react-router'
import { server } from './server.js'

/** Renders a page with a Content-Security-Policy, whose nonce React Router gives to its own scripts. */
export default async function handleRequest(request, status, headers, context) {
  const nonce = btoa(crypto.randomUUID())
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${server.scheme}://${server.host}:${server.port}`,
  ].join('; ')
  const page = await renderToReadableStream(<ServerRouter context={context} url={request.url} nonce={nonce} />, { nonce })
  headers.set('content-security-policy', policy)
  headers.set('content-type', 'text/html')
  return new Response(page, { status, headers })
}
