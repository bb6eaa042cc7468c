import type { Kysely } from 'kysely'
import { createChangeEvents } from './change-events.ts'
import type { Config } from './config/config.ts'
import { loadConfiguredRules, rulesContextOf } from './config/load-rules.ts'
import type { Tables } from './db/schema.ts'
import { createPasskeyCeremonies } from './factors/passkey/ceremonies.ts'
import { createOpenDoorAlarm } from './forward-auth/open-door/open-door-alarm.ts'
import { createRulesSource, type RulesSource, remarksIn } from './forward-auth/rules-file/rules-source.ts'
import { isOurs } from './http/misconfiguration.ts'
import type { BuiltPages } from './http/pages/built-pages.ts'
import { createKeyring, type Keyring } from './keys/keyring.ts'
import { createKeys } from './keys/secrets.ts'
import { createMail } from './mail/mail.ts'
import { countWaiting } from './mail/outbox.store.ts'
import { createMetrics } from './metrics.ts'
import { createPasswordProblem } from './passwords/password-rules.ts'
import type { Passwords } from './passwords/passwords.ts'
import { readVersion } from './program.ts'
import { createOutageGrace } from './sessions/outage-grace.ts'
import { createPhishingResistance } from './sessions/phishing-resistance.ts'
import { createSessions } from './sessions/sessions.ts'
import { shippedLanguages } from './texts/shipped-languages.ts'

export type CoreDeps = {
  config: Config
  db: Kysely<Tables>
  passwords: Passwords
  pages: BuiltPages
  /** Epoch milliseconds. */
  now: () => number
  logger: Record<'error' | 'warn' | 'info', (of: object, message: string) => void>
  /** Whether the server is stopping: then it keeps no connection open. */
  isStopping: () => boolean
}

/** Loads the rules for protected applications, and logs warnings about them. */
export const openRules = async ({ config, logger }: CoreDeps): Promise<RulesSource> => {
  const read = await loadConfiguredRules(config)
  const warnings = remarksIn(config.rulesFile ?? '', read.warnings)
  if (warnings.length > 0) logger.warn({ warnings }, 'the rules file has warnings')
  return createRulesSource(read, { settings: config, context: rulesContextOf(config), log: logger })
}

/** The modules that most features depend on. */
export const createCore = ({ config, db: opened, passwords, pages, isStopping, now, logger }: CoreDeps, rules: RulesSource) => {
  const outageGrace = config.outageGrace > 0 ? createOutageGrace({ db: opened, grace: config.outageGrace, now, log: logger }) : undefined
  const db = outageGrace?.watched ?? opened
  const keyring = createKeyring(config.masterKeys)
  const isAdministrator = (userIdent: string) => config.admins.has(userIdent)
  const texts = shippedLanguages(config.language)
  const mail = createMail({ keyring, now, administrators: [...config.admins], texts })
  const publicUrl = config.publicUrl.origin + config.publicUrl.path
  const isOwnPage = (address: string) => isOurs(address, publicUrl)
  const chosen = config.openDoorAlarm
  const openDoorAlarm = chosen && createOpenDoorAlarm({ db, chosen, rules, mail, keyring, publicUrl, isOwnPage, now, log: logger })
  return {
    config,
    db,
    passwords,
    pages,
    languages: pages.languages,
    defaultLanguage: config.language,
    texts,
    isStopping,
    now,
    log: logger,
    keyring,
    keys: createKeys(config.masterKeys()[0]),
    outageGrace,
    sessions: createSessions({ db, now, outageGrace }),
    mail,
    openDoorAlarm,
    metrics: createMetrics({
      version: readVersion(),
      mailWaiting: () => countWaiting(db),
      hashing: passwords.figures,
      rulesLoaded: rules.isLoaded,
      outageGrace,
      openDoorAlarm,
    }),
    changes: createChangeEvents(),
    passwordProblem: createPasswordProblem(config),
    policy: config.secondFactor,
    ceremonies: createCeremonies(config, keyring, now),
    passkeyDue: createPhishingResistance({ ...config, isAdministrator, now }).passkeyDue,
    isAdministrator,
    productName: config.productName,
    minPasswordLength: config.minPasswordLength,
    origin: config.publicUrl.origin,
    publicUrl,
  }
}
export type Core = ReturnType<typeof createCore>

const createCeremonies = ({ passkeys, productName }: Config, keyring: Keyring, now: () => number) =>
  passkeys.is === 'On' ? createPasskeyCeremonies({ relyingParty: passkeys.relyingParty, keyring, productName, now }) : undefined
