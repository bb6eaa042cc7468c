import fastifyStatic from '@fastify/static'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { createOwnAccount } from './account/account.ts'
import { createOwnFactors } from './account/factors.ts'
import { createOwnOverview } from './account/overview.ts'
import { createOwnPush } from './account/phones.ts'
import { createReauthentication } from './account/reauthentication.ts'
import { createOwnSessions } from './account/sessions.ts'
import { createAdministration } from './admin/administration.ts'
import { createAdminister } from './admin/permission.ts'
import { createUserActs } from './admin/user-acts.ts'
import { createUsers } from './admin/users.ts'
import { type Chores, createChores } from './background-jobs.ts'
import { createChangeEvents } from './change-events.ts'
import { type Config, ConfigProblems } from './config/config.ts'
import { isHere } from './config/value-formats.ts'
import { sqliteFile } from './db/open.ts'
import type { Tables } from './db/schema.ts'
import { createPushAnswers } from './factors/push/answers.ts'
import { createApprover } from './factors/push/approver.ts'
import { createWakeWays } from './factors/push/channels.ts'
import { createDeviceProof } from './factors/push/device-proof.ts'
import { createWaker, type Waker } from './factors/push/notifier.ts'
import { createPushPause } from './factors/push/pause.ts'
import { isPushService } from './factors/push/push.ts'
import { ensurePushKeys } from './factors/push/push-keys.store.ts'
import { createForwardAuth } from './forward-auth/forward-auth.ts'
import { createCaller } from './http/caller.ts'
import { addCalls } from './http/calls/calls.ts'
import type { ConnectionLimits } from './http/connections.ts'
import { addForwardAuth } from './http/forward-auth.ts'
import { createFormHeaders } from './http/headers.ts'
import { addHealth } from './http/health.ts'
import { createHttpServer } from './http/http-server.ts'
import { addMetrics } from './http/metrics.ts'
import { addOriginCheck } from './http/origin-check.ts'
import { addAccountPages } from './http/pages/account.ts'
import type { BuiltPages } from './http/pages/built-pages.ts'
import { sayErrorsOnPages } from './http/pages/errors.ts'
import { takeFormsOnly } from './http/pages/form-body.ts'
import { createForms } from './http/pages/forms.ts'
import { addJourneys, answerNothingHere } from './http/pages/hand-over.ts'
import { addFormPages } from './http/pages/login.ts'
import { addMailLinkPages } from './http/pages/mail-links.ts'
import { addMailbox } from './http/pages/mailbox.ts'
import { addMisconfigurationPage } from './http/pages/misconfiguration.ts'
import { createPageNotes } from './http/pages/page-notes.ts'
import { createReturns } from './http/pages/return-addresses.ts'
import { addStepPages } from './http/pages/second-factor.ts'
import { addSsoJourneys } from './http/pages/sso.ts'
import { addSeenAddress } from './http/peers.ts'
import { createRates } from './http/rate-limits.ts'
import { createSignInAttempts } from './http/sign-in-attempts.ts'
import { createSockets } from './http/sockets.ts'
import { createKeyring } from './keys/keyring.ts'
import { createKeys } from './keys/secrets.ts'
import { createLive } from './live-updates/live-updates.ts'
import { createMail } from './mail/mail.ts'
import { createMailSender, type MailSender } from './mail/mail-sender.ts'
import { createMailbox } from './mail/mailbox.ts'
import { countWaiting } from './mail/outbox.store.ts'
import { createSmtp } from './mail/smtp.ts'
import { explainSmtp } from './mail/smtp-faults.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createPasswordProblem } from './passwords/password-rules.ts'
import type { Passwords } from './passwords/passwords.ts'
import { createReadiness } from './readiness.ts'
import { createFactorReset } from './recovery/factor-reset.ts'
import { createMailRequesters } from './recovery/mail-requesters.ts'
import { createRecovery } from './recovery/recovery.ts'
import { createSessions } from './sessions/sessions.ts'
import { createAuthentication } from './sign-in/authenticate.ts'
import { createEnrollment } from './sign-in/enrollment.ts'
import { createFactorReplacement } from './sign-in/factor-replacement.ts'
import { createPendingSignIns } from './sign-in/pending-sign-in.ts'
import { createPhoneApproval } from './sign-in/phone-approval.ts'
import { createSecondFactor } from './sign-in/second-factor.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createOpenId } from './sso/openid.ts'
import type { ProviderConfig } from './sso/provider-config.ts'
import { createSso } from './sso/sso.ts'

/** The server's parts that run: what answers, what carries mail, what wakes devices, what tidies up. */
export type App = { app: FastifyInstance; mailSender: MailSender; waker: Waker; chores: Chores; metrics: Metrics }

/** Builds every room by hand and hands it to http: the one place that knows all. */
export const createApp = async (deps: {
  config: Config
  db: Kysely<Tables>
  passwords: Passwords
  pages: BuiltPages
  /** Epoch milliseconds. */
  now: () => number
  logger: FastifyBaseLogger
  /** Made-up providers of a development server that has no others. */
  demo?: readonly ProviderConfig[] | undefined
  /** Whether the server was asked to stop: from then on no connection is kept. */
  isStopping: () => boolean
  /** How long slow clients may hold a connection; those of `limits`, unless a test sets shorter ones. */
  connections?: ConnectionLimits | undefined
}): Promise<App> => {
  const { config, db, passwords, now, logger } = deps
  const { productName, minPasswordLength, secondFactor: policy } = config
  const publicUrl = config.publicUrl.origin + config.publicUrl.path
  const passwordProblem = createPasswordProblem(config)
  const isAdministrator = (userIdent: string) => config.admins.has(userIdent)
  const keyring = createKeyring(config.masterKeys)
  const keys = createKeys(config.masterKeys()[0])
  const mail = createMail({ keyring, now, administrators: [...config.admins] })
  const requesters = createMailRequesters({ keys, now })
  const metrics = createMetrics({ mailWaiting: () => countWaiting(db), hashing: passwords.figures })

  const sessions = createSessions({ db, now })
  const authentication = createAuthentication({ db, passwords, keys, metrics, now })
  const signIn = createSignIn({ db, authentication, keyring, policy, isAdministrator, productName, now })
  const replacement = createFactorReplacement({ signIn, mail, now })
  const factorReset = createFactorReset({ db, authentication, keyring, mail, requesters, productName, publicUrl, now })
  const secondFactor = createSecondFactor({ db, authentication, signIn, replacement, keyring, mail, metrics, now })
  const enrollment = createEnrollment({ db, authentication, signIn, replacement, keyring, mail, metrics, policy, isAdministrator, now })
  const pendingSignIns = createPendingSignIns({ db, keyring, policy, isAdministrator, productName, now })
  const changes = createChangeEvents()
  const phoneApproval = createPhoneApproval({ db, authentication, changes, now })
  const pause = createPushPause({ db, mail, now })
  const recovery = createRecovery({ db, signIn, passwords, passwordProblem, keys, mail, requesters, publicUrl, now })
  const administer = createAdminister({ db, policy, isAdministrator, now })
  const acts = createUserActs({ mail, now })
  const users = createUsers({ administer, acts, mail, keys, publicUrl, now })
  const administration = createAdministration({ db, keyring, administer, acts, administrators: config.admins, now })
  const reauthentication = createReauthentication({ db, authentication, now })
  const ownAccount = createOwnAccount({
    db,
    passwords,
    authentication,
    reauthentication,
    recovery,
    mail,
    passwordProblem,
    isAdministrator,
    publicUrl,
    now,
  })
  const ownFactors = createOwnFactors({ db, reauthentication, keyring, mail, policy, isAdministrator, productName, now })
  const ownPush = createOwnPush({ reauthentication, ownFactors, changes, publicUrl, now })
  const ownSessions = createOwnSessions({ reauthentication, now })

  const { origin } = config.publicUrl
  const proof = createDeviceProof({ db, keyring, origin, now })
  const answers = createPushAnswers({ db, proof, pause, metrics, changes, origin, now })
  const approver = createApprover({
    db,
    proof,
    mail,
    changes,
    origin,
    productName,
    wake: { webPushKey: await ensurePushKeys(db, keyring), ntfy: config.wakeServers.ntfy, gotify: config.wakeServers.gotify?.url },
    isEndpoint: subscription => isPushService(subscription, config.pushPrivate),
    mayBeWithout: ownFactors.mayBeWithout,
    now,
  })

  const ways = createWakeWays({
    servers: config.wakeServers,
    allowInside: config.pushPrivate,
    productName,
    approverUrl: `${publicUrl}/approve`,
    contact: `mailto:${config.mailAddress}`,
  })
  const waker = createWaker({ db, keyring, ways, changes, metrics, now, log: logger })

  const forwardAuth = createForwardAuth({ db, protectedOrigins: config.protectedOrigins, isAdministrator, now })

  const providers = deps.demo ?? config.providers
  // Whoever the demo knows is made up, and the demo is on this machine.
  const [provision, allowInside] = deps.demo ? [true, true] : [config.ssoProvision, config.ssoPrivate]
  const openId = createOpenId({ allowInside, publicUrl, now })
  const sso = createSso({ db, authentication, signIn, mail, openId, isAdministrator, providers, provision, now, log: logger })
  const ownOverview = createOwnOverview({ db, sso, ownFactors, isAdministrator, minPasswordLength, now })
  const own = { account: ownAccount, reauthentication, factors: ownFactors, overview: ownOverview, push: ownPush, sessions: ownSessions }

  const mailbox = config.smtp ? undefined : createMailbox(config.mailFolder, config.mailFrom)
  const { smtp } = config
  const send = smtp ? createSmtp(smtp, config.mailFrom, new URL(config.publicUrl.origin).hostname).send : mailbox?.send
  if (!send) throw new Error('there is no way to send mail')
  const product = { name: productName, url: `${publicUrl}/` }
  const mailSender = createMailSender({
    db,
    keyring,
    send,
    explain: error => smtp && explainSmtp(error, smtp),
    grant: recovery.grant,
    product,
    metrics,
    now,
    log: logger,
  })
  const chores = createChores({ db, mail, pause, keyring, now, log: logger })

  const caller = createCaller(config, sessions)
  const rates = createRates()
  const attempts = createSignInAttempts({ caller, rates, metrics })
  const live = createLive({ db, approver, now })
  const sockets = createSockets({ caller, sessions, proof, live, changes, log: logger })
  const returns = createReturns({ config, caller, forwardAuth, pages: deps.pages })

  const readiness = createReadiness({ db, file: sqliteFile(config.databaseUrl), now })
  const notes = createPageNotes({ caller, keyring, now })
  const onward = [new URL(config.dashboardUrl, config.publicUrl.origin).origin, ...config.protectedOrigins.map(({ origin }) => origin)]
  const formHeaders = createFormHeaders([...new Set(onward)].filter(origin => origin !== config.publicUrl.origin))
  const forms = createForms({ config, notes, formHeaders, pages: deps.pages })

  const { app, finish } = await createHttpServer({
    config,
    caller,
    metrics,
    logger,
    isStopping: deps.isStopping,
    connections: deps.connections,
  })
  app.addHook('onClose', async () => sockets.stop())

  const onPages = { pages: deps.pages, home: `${publicUrl}/` }
  const addRoutes = async (scope: FastifyInstance) => {
    addCalls(scope, {
      caller,
      rates,
      metrics,
      attempts,
      signIn,
      secondFactor,
      enrollment,
      factorReset,
      phoneApproval,
      proof,
      approver,
      answers,
      recovery,
      sessions,
      users,
      own,
      sso,
      administration,
    })
    await scope.register(async seen => {
      sayErrorsOnPages(seen, onPages)
      addJourneys(seen, { config, caller, rates, signIn, administration, returns, pages: deps.pages })
    })
    await scope.register(async plain => {
      takeFormsOnly(plain, caller)
      sayErrorsOnPages(plain, onPages)
      addFormPages(plain, { caller, rates, attempts, signIn, recovery, returns, forms, formHeaders, pages: deps.pages })
      addStepPages(plain, {
        config,
        caller,
        rates,
        attempts,
        metrics,
        secondFactor,
        enrollment,
        factorReset,
        phoneApproval,
        pendingSignIns,
        notes,
        forms,
        returns,
        pages: deps.pages,
      })
      addAccountPages(plain, { caller, rates, sessions, ownAccount, ownOverview, returns, forms, formHeaders, pages: deps.pages })
      addMailLinkPages(plain, {
        config,
        caller,
        rates,
        attempts,
        recovery,
        factorReset,
        ownAccount,
        notes,
        forms,
        formHeaders,
        pages: deps.pages,
      })
    })
    addForwardAuth(scope, { config, caller, rates, sessions, forwardAuth, pages: deps.pages })
    sockets.add(scope)
    addOriginCheck(scope, config)
    addMisconfigurationPage(scope, { config, caller, pages: deps.pages })
    addSsoJourneys(scope, { config, caller, rates, attempts, sso, pages: deps.pages })
    // A proxy on this machine that adds no header makes everybody look like this machine: what is for this machine alone
    // is there only while nobody else is meant to come.
    if (!config.production && isHere(new URL(config.publicUrl.origin).hostname)) {
      if (mailbox) addMailbox(scope, { mailbox, caller, pages: deps.pages })
      addMetrics(scope, metrics, caller)
    }
    addSeenAddress(scope, { keyring, now })
    addHealth(scope, readiness, deps.isStopping)
    await scope.register(fastifyStatic, {
      root: deps.pages.assets,
      prefix: '/assets/',
      // As the build has left them beside each file.
      preCompressed: true,
      // Their names hold a hash of what is in them.
      immutable: true,
      maxAge: '365d',
      cacheControl: true,
      index: false,
    })
  }
  await app.register(addRoutes, { prefix: config.publicUrl.path })
  // A proxy may take the path away before it passes a request on: every route is there without it as well.
  if (config.publicUrl.path !== '') {
    try {
      await app.register(addRoutes)
    } catch (fault) {
      throw asProblemOfThePath(fault, config)
    }
  }
  answerNothingHere(app, config.publicUrl.path, deps.pages, returns)
  await finish()
  return { app, mailSender, waker, chores, metrics }
}

/** A public path that is a route of ours as well would make two into one. */
const asProblemOfThePath = (fault: unknown, { publicUrl: { origin, path } }: Config): unknown =>
  fault instanceof Error && 'code' in fault && fault.code === 'FST_ERR_DUPLICATED_ROUTE'
    ? new ConfigProblems([
        `GATEHOUSE_PUBLIC_URL: ${origin}${path} is the address of a page or call of Gatehouse’s own; choose another path.`,
      ])
    : fault
