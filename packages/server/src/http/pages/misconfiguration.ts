import { type MisconfigurationProps, pagePaths } from '@gatehouse/wire/page-props'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isOrigin } from '../../config/value-formats.ts'
import type { MisconfigurationTexts } from '../../texts/page-texts.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import { explain, isOfCheck, type Misconfiguration, type SetUp, setUpOf } from '../misconfiguration.ts'
import type { TextsOf } from '../texts-of.ts'
import type { PagesFor } from './localized.ts'

/** The props of the page. It shows addresses and settings, none of them secret. */
export const misconfigurationProps = (
  name: Misconfiguration,
  setUp: SetUp,
  seen: string | undefined,
  texts: MisconfigurationTexts,
): MisconfigurationProps => ({
  name,
  nameLabel: texts.facts.code,
  title: texts.title,
  ...explain(name, setUp, seen, texts),
  facts: [
    ...(seen ? [{ name: texts.facts.address, value: seen }] : []),
    { name: 'Gatehouse', value: `${setUp.publicUrl}/` },
    {
      name: texts.facts.cookieFor,
      value: setUp.cookieDomain ? texts.facts.domain(setUp.cookieDomain) : texts.facts.host(new URL(setUp.publicUrl).hostname),
    },
  ],
  note: texts.note,
  action: { label: texts.action, href: `${setUp.publicUrl}/` },
})

/** The page that a check redirects to when it finds a misconfiguration. */
export const addMisconfigurationPage = (
  app: FastifyInstance,
  { config, caller, pagesFor, textsOf }: { config: Config; caller: Caller; pagesFor: PagesFor; textsOf: TextsOf },
) => {
  const setUp = setUpOf(config)
  const [path] = pagePaths.misconfiguration
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const { cause, seen } = Object(request.query)
      if (!isOfCheck(cause)) return reply.callNotFound()
      // This may clear our own check cookie too; the start page sets it again. Cookies for a longer path or another host cannot be cleared.
      if (cause === 'cookie-twice') caller.clearForeignCookies(reply)
      // An attacker may have written this page's address, so show only an origin, never any other text.
      const origin = typeof seen === 'string' && seen.length < 300 && isOrigin(seen) ? seen : undefined
      return html(
        reply.code(403),
        pagesFor(request, reply).misconfiguration(misconfigurationProps(cause, setUp, origin, textsOf(request).misconfiguration)),
      )
    },
  })
  refuseOtherMethods(app, path, ['GET', 'HEAD'])
}
