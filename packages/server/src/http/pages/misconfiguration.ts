import { type MisconfigurationProps, pagePaths } from '@gatehouse/wire/page-props'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isOrigin } from '../../config/value-formats.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import { explain, isOfCheck, type Misconfiguration, type SetUp, setUpOf } from '../misconfiguration.ts'
import type { BuiltPages } from './built-pages.ts'

/** The props of the page. It shows addresses and settings, none of them secret. */
export const misconfigurationProps = (name: Misconfiguration, setUp: SetUp, seen: string | undefined): MisconfigurationProps => ({
  name,
  title: 'The proxy is misconfigured',
  ...explain(name, setUp, seen),
  facts: [
    ...(seen ? [{ name: 'Address', value: seen }] : []),
    { name: 'Gatehouse', value: `${setUp.publicUrl}/` },
    {
      name: 'Cookie for',
      value: setUp.cookieDomain ? `${setUp.cookieDomain} and its subdomains` : `${new URL(setUp.publicUrl).hostname} only`,
    },
  ],
  note: 'Not your server? Show this page to its administrator.',
  action: { label: 'Try again', href: `${setUp.publicUrl}/` },
})

/** The page that a check redirects to when it finds a misconfiguration. */
export const addMisconfigurationPage = (
  app: FastifyInstance,
  { config, caller, pages }: { config: Config; caller: Caller; pages: BuiltPages },
) => {
  const setUp = setUpOf(config)
  const [path] = pagePaths.misconfiguration
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const { cause, seen } = Object(request.query)
      if (!isOfCheck(cause)) return reply.callNotFound()
      // The start page sets the right one again. The server cannot clear a cookie for a longer path, or for another host alone.
      if (cause === 'cookie-twice') caller.clearForeignCookies(reply)
      // An attacker may have written the address: show an origin, never a text.
      const origin = typeof seen === 'string' && seen.length < 300 && isOrigin(seen) ? seen : undefined
      return html(reply.code(403), pages.misconfiguration(misconfigurationProps(cause, setUp, origin)))
    },
  })
  refuseOtherMethods(app, path, ['GET', 'HEAD'])
}
