import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createOwnAccount } from './account/account.ts'
import { createOwnTotp } from './account/authenticator-apps.ts'
import { createOwnFactors } from './account/factors.ts'
import { createOwnBrowsers } from './account/known-browsers.ts'
import { createOwnOverview } from './account/overview.ts'
import { createOwnPasses } from './account/passes.ts'
import { createOwnPasskeys } from './account/passkeys.ts'
import { createOwnPush } from './account/phones.ts'
import { createReauthentication } from './account/reauthentication.ts'
import { createOwnSessions } from './account/sessions.ts'
import { createAdministration } from './admin/administration.ts'
import { createPassAdministration } from './admin/pass-administration.ts'
import { createPasswordLink } from './admin/password-link.ts'
import { createAdminister } from './admin/permission.ts'
import { createUserActs } from './admin/user-acts.ts'
import { createUsers } from './admin/users.ts'
import { type BackgroundJobs, createBackgroundJobs } from './background-jobs.ts'
import { type Config, ConfigProblems } from './config/config.ts'
import { type Core, type CoreDeps, createCore, openRules } from './core.ts'
import { sqliteFile } from './db/open.ts'
import { createPushAnswers } from './factors/push/answers.ts'
import { createApprover } from './factors/push/approver.ts'
import { createPushChannels } from './factors/push/channels.ts'
import { createDeviceProof } from './factors/push/device-proof.ts'
import { createPushNotifier, type PushNotifier } from './factors/push/notifier.ts'
import { createPushPause } from './factors/push/pause.ts'
import { isPushService } from './factors/push/push.ts'
import { ensurePushKeys } from './factors/push/push-keys.store.ts'
import { createAssertions } from './forward-auth/assertions/assertions.ts'
import { createForwardAuth } from './forward-auth/forward-auth.ts'
import type { OpenDoorAlarm } from './forward-auth/open-door/open-door-alarm.ts'
import { createPasses } from './forward-auth/passes.ts'
import type { RulesSource } from './forward-auth/rules-file/rules-source.ts'
import type { ConnectionLimits } from './http/connections.ts'
import { createHttpServer } from './http/http-server.ts'
import { createRoutes } from './http/routes.ts'
import { createLive } from './live-updates/live-updates.ts'
import { productOf } from './mail/layout.ts'
import { createMailSender, type MailSender } from './mail/mail-sender.ts'
import { createMailbox, type Mailbox } from './mail/mailbox.ts'
import { createSmtp } from './mail/smtp.ts'
import { explainSmtp } from './mail/smtp-faults.ts'
import type { Metrics } from './metrics.ts'
import { createReadiness } from './readiness.ts'
import { createFactorReset } from './recovery/factor-reset.ts'
import { createMailRequesters } from './recovery/mail-requesters.ts'
import { createRecovery } from './recovery/recovery.ts'
import { createAuthentication } from './sign-in/authenticate.ts'
import { createAuthenticateAgain } from './sign-in/authenticate-again.ts'
import { createPasskeyAuthentication } from './sign-in/authenticate-passkey.ts'
import { createCodeChallenge } from './sign-in/code-challenge.ts'
import { createEnrollment } from './sign-in/enrollment.ts'
import { createFactorReplacement } from './sign-in/factor-replacement.ts'
import { createPasskeySignIn } from './sign-in/passkey-sign-in.ts'
import { createPendingSignIns } from './sign-in/pending-sign-in.ts'
import { createPhoneApproval } from './sign-in/phone-approval.ts'
import { createRecoveryCode } from './sign-in/recovery-code.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createVerifyOtp } from './sign-in/verify-otp.ts'
import { createOpenId } from './sso/openid.ts'
import type { ProviderConfig } from './sso/provider-config.ts'
import { createSso } from './sso/sso.ts'

/** The HTTP server, and what runs in the background. */
export type App = {
  app: FastifyInstance
  mailSender: MailSender
  pushNotifier: PushNotifier
  backgroundJobs: BackgroundJobs
  metrics: Metrics
  rules: RulesSource
  openDoorAlarm: OpenDoorAlarm | undefined
}

type Deps = CoreDeps & {
  logger: FastifyBaseLogger
  /** The providers of the built-in demo, in place of the configured ones. */
  demo?: readonly ProviderConfig[] | undefined
  /** Receives all mail, instead of the mail server or the mail folder. */
  mailbox?: Mailbox | undefined
  /** How long slow clients may keep a connection open. Defaults to `limits.connections`; tests set shorter times. */
  connections?: ConnectionLimits | undefined
}

/** Creates every module and connects them, one small function for each feature. */
export const createApp = async (deps: Deps): Promise<App> => {
  const rules = await openRules(deps)
  const core = createCore(deps, rules)
  const signIn = { ...core, ...wireSignIn(core) }
  const recovery = { ...signIn, ...wireRecovery(signIn) }
  const sso = { ...recovery, ...wireSso(recovery, deps.demo) }
  const account = { ...sso, ...wireAccount(sso, rules) }
  const phones = { ...account, ...(await wirePhones(account)) }
  const mail = wireMail(recovery, deps.mailbox)
  const routes = createRoutes({
    ...phones,
    ...wireAdministration(core, rules),
    mailbox: mail.mailbox,
    live: createLive(phones),
    forwardAuth: createForwardAuth({ ...core, rules }),
    passes: createPasses(core),
    assertions: await prepareAssertions(core, rules.current().origins.length > 0),
    readiness: createReadiness({ ...core, file: sqliteFile(core.config.databaseUrl) }),
  })
  const app = await createServer(routes, deps, core)
  core.outageGrace?.start()
  return {
    app,
    mailSender: mail.mailSender,
    pushNotifier: phones.pushNotifier,
    backgroundJobs: createBackgroundJobs({ ...phones, rules }),
    metrics: core.metrics,
    rules,
    openDoorAlarm: core.openDoorAlarm,
  }
}

const wireSignIn = (core: Core) => {
  const authentication = createAuthentication(core)
  const passkeyAuthentication = createPasskeyAuthentication(core)
  const signIn = createSignIn({ ...core, authentication })
  const codeChallenge = createCodeChallenge(core)
  const replacement = createFactorReplacement({ ...core, signIn })
  return {
    authentication,
    passkeyAuthentication,
    authenticateAgain: createAuthenticateAgain({ authentication, passkeyAuthentication }),
    signIn,
    passkeySignIn: createPasskeySignIn({ ...core, authentication, passkeyAuthentication, signIn }),
    verifyOtp: createVerifyOtp({ ...core, authentication, signIn, codeChallenge, replacement }),
    useRecoveryCode: createRecoveryCode({ ...core, authentication, signIn, codeChallenge }),
    enrollment: createEnrollment({ ...core, authentication, signIn, replacement }),
    pendingSignIns: createPendingSignIns(core),
    phoneApproval: createPhoneApproval({ ...core, authentication }),
  }
}
type WithSignIn = Core & ReturnType<typeof wireSignIn>

const wireRecovery = (deps: WithSignIn) => {
  const requesters = createMailRequesters(deps)
  return { recovery: createRecovery({ ...deps, requesters }), factorReset: createFactorReset({ ...deps, requesters }) }
}
type WithRecovery = WithSignIn & ReturnType<typeof wireRecovery>

const wireSso = (deps: WithRecovery, demo: readonly ProviderConfig[] | undefined) => {
  const { config } = deps
  // Allow both for the demo: its users have no accounts yet, and its provider runs on this machine.
  const [provision, allowInside] = demo ? [true, true] : [config.ssoProvision, config.ssoPrivate]
  const openId = createOpenId({ ...deps, allowInside })
  return { sso: createSso({ ...deps, openId, providers: demo ?? config.providers, provision }) }
}
type WithSso = WithRecovery & ReturnType<typeof wireSso>

const wireAccount = (deps: WithSso, rules: RulesSource) => {
  const reauthentication = createReauthentication(deps)
  const ownFactors = createOwnFactors({ ...deps, reauthentication })
  const ownAccount = createOwnAccount({ ...deps, reauthentication })
  const ownOverview = createOwnOverview({ ...deps, rules, ownFactors })
  const own = {
    account: ownAccount,
    reauthentication,
    factors: ownFactors,
    totp: createOwnTotp({ ...deps, reauthentication, ownFactors }),
    overview: ownOverview,
    push: createOwnPush({ ...deps, reauthentication, ownFactors }),
    sessions: createOwnSessions({ ...deps, reauthentication }),
    browsers: createOwnBrowsers({ ...deps, reauthentication }),
    passes: createOwnPasses({ ...deps, rules, reauthentication }),
  }
  return { own, ownAccount, ownFactors, ownOverview, ownPasskeys: createOwnPasskeys({ ...deps, reauthentication, ownFactors }) }
}
type WithAccount = WithSso & ReturnType<typeof wireAccount>

const wirePhones = async (deps: WithAccount) => {
  const { config, db, keyring, productName, publicUrl } = deps
  const pause = createPushPause(deps)
  const proof = createDeviceProof(deps)
  const approver = createApprover({
    ...deps,
    proof,
    wake: { webPushKey: await ensurePushKeys(db, keyring), ntfy: config.pushServers.ntfy, gotify: config.pushServers.gotify?.url },
    isEndpoint: subscription => isPushService(subscription, config.pushPrivate),
    mayBeWithout: deps.ownFactors.mayBeWithout,
  })
  const channels = createPushChannels({
    servers: config.pushServers,
    allowInside: config.pushPrivate,
    productName,
    texts: deps.texts,
    approverUrl: `${publicUrl}/approve`,
    contact: `mailto:${config.mailAddress}`,
  })
  return {
    pause,
    proof,
    approver,
    answers: createPushAnswers({ ...deps, proof, pause }),
    pushNotifier: createPushNotifier({ ...deps, channels }),
  }
}

const wireAdministration = (core: Core, rules: RulesSource) => {
  const { groupsOf } = rules
  const administer = createAdminister(core)
  const acts = createUserActs(core)
  const passwordLink = createPasswordLink(core)
  return {
    users: createUsers({ ...core, administer, acts, passwordLink }),
    passAdministration: createPassAdministration({ ...core, rules, administer }),
    administration: createAdministration({ ...core, groupsOf, administer, acts, passwordLink, administrators: core.config.admins }),
  }
}

const prepareAssertions = async (core: Core, areNeeded: boolean) => {
  const assertions = createAssertions(core)
  if (areNeeded) await assertions.prepare()
  return assertions
}

const wireMail = (deps: WithRecovery, given: Mailbox | undefined) => {
  const { mailFolder, mailFrom } = deps.config
  const smtp = given ? undefined : deps.config.smtp
  const mailbox = given ?? (smtp ? undefined : createMailbox(mailFolder, mailFrom))
  const send = smtp ? createSmtp(smtp, mailFrom, new URL(deps.origin).hostname).send : mailbox?.send
  if (!send) throw new Error('there is no way to send mail')
  const product = { url: `${deps.publicUrl}/`, ...productOf(deps.config.brand) }
  const mailSender = createMailSender({
    ...deps,
    send,
    explain: error => smtp && explainSmtp(error, smtp),
    grant: deps.recovery.grant,
    product,
  })
  return { mailbox, mailSender }
}

/** Creates the HTTP server with all routes. */
const createServer = async (
  routes: ReturnType<typeof createRoutes>,
  deps: Deps,
  { metrics, outageGrace }: Core,
): Promise<FastifyInstance> => {
  const { publicUrl } = deps.config
  const { app, finish } = await createHttpServer({ ...deps, caller: routes.caller, metrics })
  app.addHook('onClose', async () => {
    routes.stop()
    await outageGrace?.stop()
  })
  await app.register(routes.add, { prefix: publicUrl.path })
  // A proxy may strip the path before it forwards a request, so also register every route without the path.
  if (publicUrl.path !== '') {
    try {
      await app.register(routes.add)
    } catch (fault) {
      throw isDuplicateRoute(fault) ? pathIsTaken(publicUrl) : fault
    }
  }
  routes.addNotFound(app)
  await finish()
  return app
}

const isDuplicateRoute = (fault: unknown): boolean => fault instanceof Error && 'code' in fault && fault.code === 'FST_ERR_DUPLICATED_ROUTE'

const pathIsTaken = ({ origin, path }: Config['publicUrl']) =>
  new ConfigProblems([`GATEHOUSE_PUBLIC_URL: ${origin}${path} is the address of a page or call of Gatehouse’s own; choose another path.`])
