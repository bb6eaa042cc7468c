import type { Language } from '@gatehouse/language/languages.ts'
import { pagePaths } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnAccount } from '../../account/account.ts'
import { BadInput } from '../../bad-input.ts'
import type { Config } from '../../config/config.ts'
import { isTarget } from '../../config/value-formats.ts'
import { expectedLanguage, isLanguage } from '../../users/user-language.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import type { Forms } from './forms.ts'
import type { PagesFor } from './localized.ts'

const [url] = pagePaths.languages

/**
 * The language page, to which most pages link. Choosing a language needs no script, and changes a
 * signed-in user's setting too.
 */
export const addLanguagesPage = (
  app: FastifyInstance,
  deps: {
    config: Config
    caller: Caller
    ownAccount: OwnAccount
    languages: readonly Language[]
    forms: Forms
    pagesFor: PagesFor
  },
) => {
  const { config, caller, ownAccount, languages, forms, pagesFor } = deps
  const { origin, path } = config.publicUrl
  const home = `${path}/`

  /** Attack (open redirect): the path comes from the browser. One that begins with two slashes would name another host. */
  const ownPath = (target: string): string => (isTarget(target) && target.startsWith(home) ? target : home)

  /** The page that linked here. */
  const linkedFrom = ({ headers }: FastifyRequest): string => {
    const from = URL.parse(headers.referer ?? '')
    return from?.origin === origin ? ownPath(from.pathname + from.search) : home
  }

  forms.bind(
    app,
    url,
    async (request, reply) => {
      await caller.session(request)
      return html(reply, pagesFor(request, reply).languages(linkedFrom(request)))
    },
    async (fields, { request, reply }) => {
      const language = fields.get('language')
      if (!isLanguage(language, languages)) throw new BadInput(`language: ${expectedLanguage(languages)}`)
      const session = await caller.session(request)
      if (session && session.userLanguage !== language) await ownAccount.setLanguage(language, session, caller.visitor(request))
      caller.setLanguageCookie(reply, language)
      return reply.redirect(ownPath(fields.get('back') ?? home), 303)
    },
  )
}
