import type { Language } from '@gatehouse/language/languages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnAccount } from '../../account/account.ts'
import { BadInput } from '../../bad-input.ts'
import type { Config } from '../../config/config.ts'
import { isTarget } from '../../config/value-formats.ts'
import { isLanguage } from '../../users/user-language.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { switchPath } from './built-pages.ts'

/** The form below every page that chooses its language. It works without a script, and for signed-in users it changes their setting too. */
export const addLanguageSwitch = (
  app: FastifyInstance,
  { config, caller, ownAccount, languages }: { config: Config; caller: Caller; ownAccount: OwnAccount; languages: readonly Language[] },
) => {
  const { path } = config.publicUrl

  /**
   * The page that the form was on, by its Referer. Attack (open redirect): the address may come from anywhere, so only its path counts. A
   * path that begins with two slashes would name another host.
   */
  const pageOf = ({ headers }: FastifyRequest): string => {
    const from = URL.parse(headers.referer ?? '')
    const target = from && from.origin === headers.origin ? from.pathname + from.search : ''
    return isTarget(target) && target.startsWith(`${path}/`) ? target : `${path}/`
  }

  app.route({
    method: 'POST',
    url: switchPath,
    handler: async (request, reply) => {
      const language = request.body instanceof Map ? request.body.get('language') : undefined
      if (!isLanguage(language, languages)) throw new BadInput('language: is none of the list')
      const session = await caller.session(request)
      if (session && session.userLanguage !== language) await ownAccount.setLanguage(language, session, caller.visitor(request))
      caller.setLanguageCookie(reply, language)
      return reply.redirect(pageOf(request), 303)
    },
  })
  refuseOtherMethods(app, switchPath, ['POST'])
}
