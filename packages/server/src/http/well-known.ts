import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Assertions } from '../forward-auth/assertions/assertions.ts'
import type { ForwardAuth } from '../forward-auth/forward-auth.ts'
import { days, limits, seconds } from '../limits.ts'
import { refuseOtherMethods } from './bind.ts'
import { returnToPassword } from './pages/return-addresses.ts'

/** `maxAge`: how long clients and caches may store it, in milliseconds. */
type Answer = { type: string; body: string; maxAge?: number }

/**
 * The addresses that browsers, password managers and security researchers look for (RFC 8615). They are at the root of a host, so the server
 * answers them there even if its public URL has a path.
 */
export const addWellKnown = (
  app: FastifyInstance,
  deps: { config: Config; publicUrl: string; forwardAuth: ForwardAuth; assertions: Assertions; now: () => number },
) => {
  const { config, publicUrl, forwardAuth, assertions, now } = deps
  const add = (name: string, answer: () => Answer | undefined | Promise<Answer | undefined>) => {
    const path = `/.well-known/${name}`
    app.get(path, { exposeHeadRoute: true }, async (_, reply) => {
      const found = await answer()
      if (!found) return reply.callNotFound()
      if (found.maxAge !== undefined) reply.header('cache-control', `public, max-age=${found.maxAge / seconds(1)}`)
      // Pages of other origins read some of these files.
      return reply.header('access-control-allow-origin', '*').type(found.type).send(found.body)
    })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }
  const json = (body: object) => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(body) })
  const { passkeys, securityContact } = config

  // WebAuthn Level 3, §5.11: other origins that may use our passkeys. Browsers look for it at the RP ID.
  add('webauthn', () => (passkeys.is === 'On' && passkeys.uncovered.length > 0 ? json({ origins: passkeys.uncovered }) : undefined))
  // https://www.w3.org/TR/passkey-endpoints/
  const section = `${publicUrl}/account#passkeys`
  add('passkey-endpoints', () => (passkeys.is === 'On' ? json({ enroll: section, manage: section }) : undefined))
  // RFC 7517 §5: the keys with which applications verify signed identities.
  add('jwks.json', async () =>
    forwardAuth.protectsAny() ? { ...json(await assertions.keySet()), maxAge: limits.assertion.keySetFor } : undefined,
  )
  // RFC 9116 requires an expiry date, so the server makes the file for each request.
  add('security.txt', () => {
    if (securityContact === undefined) return undefined
    const expires = new Date(now() + days(30)).toISOString()
    const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, 'Preferred-Languages: en']
    return { type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` }
  })
  // https://www.w3.org/TR/change-password-url/ The start page redirects to the password section, after a sign-in if necessary.
  app.get('/.well-known/change-password', async (_, reply) => reply.redirect(`${publicUrl}/?return=${returnToPassword}`, 303))
  refuseOtherMethods(app, '/.well-known/change-password', ['GET', 'HEAD'])
}
