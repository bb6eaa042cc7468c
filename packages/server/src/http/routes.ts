import fastifyStatic from '@fastify/static'
import type { Language } from '@gatehouse/language/languages.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isHere } from '../config/value-formats.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import type { Metrics } from '../metrics.ts'
import type { Readiness } from '../readiness.ts'
import type { PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { ServerLanguages } from '../texts/server-languages.ts'
import { addBrandFiles } from './brand-files.ts'
import { createCaller } from './caller.ts'
import { addCalls } from './calls/calls.ts'
import { addForwardAuth } from './forward-auth.ts'
import { createFormHeaders } from './headers.ts'
import { addHealth } from './health.ts'
import { addMetrics } from './metrics.ts'
import { addOriginCheck } from './origin-check.ts'
import { addAccountPages } from './pages/account.ts'
import type { BuiltPages } from './pages/built-pages.ts'
import { showErrorsAsPages } from './pages/errors.ts'
import { takeFormsOnly } from './pages/form-body.ts'
import { createForms } from './pages/forms.ts'
import { addJourneys, answerNothingHere } from './pages/hand-over.ts'
import { addLanguagesPage } from './pages/languages.ts'
import { createPagesFor } from './pages/localized.ts'
import { addFormPages } from './pages/login.ts'
import { addMailLinkPages } from './pages/mail-links.ts'
import { addMailbox } from './pages/mailbox.ts'
import { addMisconfigurationPage } from './pages/misconfiguration.ts'
import { createPageNotes } from './pages/page-notes.ts'
import { createReturns } from './pages/return-addresses.ts'
import { addStepPages } from './pages/second-factor.ts'
import { addSsoJourneys } from './pages/sso.ts'
import { addSeenAddress } from './peers.ts'
import { createRates } from './rate-limits.ts'
import { createSignInAgain } from './sign-in-again.ts'
import { createSignInAttempts } from './sign-in-attempts.ts'
import { createSockets } from './sockets.ts'
import type { TextsOf } from './texts-of.ts'
import { addWellKnown } from './well-known.ts'

/** The flows behind the routes. */
type Flows = Parameters<typeof addCalls>[1] &
  Parameters<typeof addJourneys>[1] &
  Parameters<typeof addFormPages>[1] &
  Parameters<typeof addStepPages>[1] &
  Parameters<typeof addAccountPages>[1] &
  Parameters<typeof addMailLinkPages>[1] &
  Parameters<typeof addForwardAuth>[1] &
  Parameters<typeof addSsoJourneys>[1] &
  Parameters<typeof createSockets>[0]

/** Created in `createRoutes` and shared by the routes. */
type Shared = 'caller' | 'again' | 'rates' | 'attempts' | 'returns' | 'notes' | 'formHeaders' | 'forms' | 'textsOf' | 'pagesFor'

type Deps = Omit<Flows, Shared> & {
  config: Config
  keyring: Keyring
  sessions: Sessions
  metrics: Metrics
  readiness: Readiness
  mailbox: Mailbox | undefined
  pages: BuiltPages
  languages: readonly Language[]
  texts: ServerLanguages
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  passkeyDue: PasskeyDueOf
  isStopping: () => boolean
  now: () => number
}

/** Every route of the server. */
export const createRoutes = (deps: Deps) => {
  const { config, pages } = deps
  const caller = createCaller(config, deps.sessions, deps.languages)
  const rates = createRates()
  const attempts = createSignInAttempts({ ...deps, caller, rates })
  const again = createSignInAgain(caller)
  const textsOf: TextsOf = request => deps.texts.in(caller.language(request)).texts.pages
  const pagesFor = createPagesFor({ caller, pages })
  const returns = createReturns({ ...deps, caller, textsOf, pagesFor })
  const notes = createPageNotes({ ...deps, caller })
  const formHeaders = createFormHeaders(() => originsAfterSignIn(config, deps.forwardAuth.origins()))
  const forms = createForms({ ...deps, notes, formHeaders, pagesFor })
  const shared = { ...deps, caller, again, rates, attempts, returns, notes, formHeaders, forms, textsOf, pagesFor }
  const sockets = createSockets(shared)
  const onPages = { pagesFor, home: `${deps.publicUrl}/`, textsOf }

  const add = async (scope: FastifyInstance) => {
    addCalls(scope, shared)
    await scope.register(async seen => {
      showErrorsAsPages(seen, onPages)
      addJourneys(seen, shared)
    })
    await scope.register(async plain => {
      takeFormsOnly(plain, caller)
      showErrorsAsPages(plain, onPages)
      addFormPages(plain, shared)
      addStepPages(plain, shared)
      addAccountPages(plain, shared)
      addMailLinkPages(plain, shared)
      addLanguagesPage(plain, shared)
    })
    addForwardAuth(scope, shared)
    sockets.add(scope)
    addOriginCheck(scope, config)
    addWellKnown(scope, shared)
    addMisconfigurationPage(scope, shared)
    addSsoJourneys(scope, shared)
    // Behind a proxy on this machine that adds no header, every request seems to come from this machine. So routes for this machine alone
    // exist only outside production, and only if the public URL names this machine.
    if (!config.production && isHere(new URL(config.publicUrl.origin).hostname)) {
      if (deps.mailbox) addMailbox(scope, { mailbox: deps.mailbox, caller, pagesFor })
      addMetrics(scope, deps.metrics, caller)
    }
    addSeenAddress(scope, deps)
    addHealth(scope, deps.readiness, deps.isStopping)
    addBrandFiles(scope, pages.brandFiles)
    await addAssets(scope, pages.assets)
  }

  return {
    caller,
    add,
    addNotFound: (app: FastifyInstance) => answerNothingHere(app, config.publicUrl.path, { pagesFor, returns, textsOf }),
    stop: sockets.stop,
  }
}

/** The other origins that a sign-in form may lead to. */
const originsAfterSignIn = ({ dashboardUrl, publicUrl }: Config, protectedOrigins: readonly string[]): string[] => {
  const origins = [new URL(dashboardUrl, publicUrl.origin).origin, ...protectedOrigins]
  return [...new Set(origins)].filter(origin => origin !== publicUrl.origin)
}

const addAssets = async (scope: FastifyInstance, root: string) => {
  await scope.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    // The build writes compressed files beside the others.
    preCompressed: true,
    // Each file name holds a hash of the content.
    immutable: true,
    maxAge: '365d',
    cacheControl: true,
    index: false,
  })
}
