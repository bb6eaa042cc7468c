import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isOrigin } from '../../config/value-formats.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import { explain, type SetUp, setUpOf, type Trouble } from '../misconfiguration.ts'
import type { BuiltPages, TroubleProps } from './built-pages.ts'

/** What the page says. Values that are shown are addresses and our configuration, none of them a secret. */
export const troublePage = (trouble: Trouble, setUp: SetUp, seen: string | undefined): TroubleProps => ({
  trouble,
  title: 'The proxy is misconfigured',
  ...explain(trouble, setUp, seen),
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

/** Causes that a check finds before anybody is signed in; all it can tell the page goes along in the address. */
const byCheck: ReadonlyMap<string, Trouble> = new Map(
  (['secure-cookie-on-http', 'cookie-domain', 'cookie-twice', 'forwarded-headers', 'not-protected'] as const).map(trouble => [
    trouble,
    trouble,
  ]),
)

/** `/trouble`: where a check leads that found something set up wrong. */
export const addTroublePage = (app: FastifyInstance, { config, caller, pages }: { config: Config; caller: Caller; pages: BuiltPages }) => {
  const setUp = setUpOf(config)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/trouble',
    handler: async (request, reply) => {
      const { cause, seen } = Object(request.query)
      const trouble = typeof cause === 'string' ? byCheck.get(cause) : undefined
      if (!trouble) return reply.callNotFound()
      // The start page sets the right one again. A cookie for a longer path, or of one other host alone, is out of our reach.
      if (trouble === 'cookie-twice') caller.clearPlanted(reply)
      // Anybody may have written the address: an origin can be shown, and no sentence of somebody else's.
      const origin = typeof seen === 'string' && seen.length < 300 && isOrigin(seen) ? seen : undefined
      return html(reply.code(403), pages.trouble(troublePage(trouble, setUp, origin)))
    },
  })
  refuseOtherMethods(app, '/trouble', ['GET', 'HEAD'])
}
