import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { type Config, ConfigProblems, readConfig } from './config/config.ts'
import { isHere } from './config/value-formats.ts'
import type { Clock } from './db/clock.ts'
import { openDatabase } from './db/open.ts'
import type { Tables } from './db/schema.ts'
import { lockForOneServer } from './db/sole-process.ts'
import { rpIdProblem } from './factors/passkey/rp-id-change.ts'
import { createMetricsListener } from './http/metrics.ts'
import { loadBuiltPages } from './http/pages/built-pages.ts'
import { limits, minutes } from './limits.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { createHashThreads, createPoolHasher } from './passwords/hash-threads.ts'
import { createPasswordProblem } from './passwords/password-rules.ts'
import { createPasswords } from './passwords/passwords.ts'
import { fromSource, startCommand } from './program.ts'
import { createShutdown } from './shutdown.ts'
import { startDemoProvider } from './sso/demo-provider/demo-provider.ts'
import { type FirstAdmin, prepareFirstAdmin } from './users/first-administrator.ts'

/** The pages: the portal's build in a clone, and a folder beside the bundle in an installed package. */
const builtPages = join(import.meta.dirname, fromSource ? '../../portal/dist' : 'pages')

type StartOptions = {
  /** A folder of pages in place of `builtPages`. `npm run dev` names pages whose scripts come from Vite. */
  pages?: string | undefined
  /** Whether a development server without configured providers gets simulated ones, so that its provider buttons work. */
  demoProvider?: boolean
  /** Parts that only the test server replaces. Neither the command `start` nor the configuration can set them. */
  test?: TestParts
}

export type TestParts = {
  configure: (config: Config) => Config
  mailbox: (config: Config) => Mailbox
  /** Runs in parallel with the rest of the start, and completes before the server listens. */
  prepare: (deps: { config: Config; db: Kysely<Tables>; now: () => number }) => Promise<void>
  /** Given to `listen` besides host and port. */
  listener: object
}

/** Thrown with a sentence that says why the server cannot start. */
class CannotStart extends Error {}

const start = async ({ pages: pagesFolder = builtPages, demoProvider = false, test }: StartOptions) => {
  // Files that the server writes are readable by its user only.
  process.umask(0o077)
  const configured = readConfig(process.env)
  const config = test ? test.configure(configured) : configured
  const lock = lockForOneServer(config.databaseUrl)
  const { db, clock, close } = await openDatabase(config.databaseUrl)
  const { now } = clock
  const prepared = test?.prepare({ config, db, now })
  // Awaited below. Until then, a failure must not count as unhandled.
  prepared?.catch(() => {})
  const lostPasskeys = await rpIdProblem(db, config.passkeys)
  if (lostPasskeys !== undefined) throw new CannotStart(lostPasskeys)
  const { queueWait, argon2id, turnsBesideCores } = limits.password
  const hashThreads = createHashThreads(config.hashThreads, argon2id, err => logger.error({ err }, 'a password hashing thread died'))
  const passwords = await createPasswords(hashThreads.atOnce + turnsBesideCores, queueWait, hashThreads)
  const options = { passkeys: config.passkeys.is === 'On', submitCodeWhenComplete: config.submitCodeWhenComplete }
  const loading = loadBuiltPages(pagesFolder, config.publicUrl.path, config.shownProviders, config.brand, options, config)
  const pages = await loading.catch((cause: unknown) => {
    throw new CannotStart(pagesMissing, { cause })
  })
  const makeFirstAdmin = await prepareFirstAdmin(
    // Do not use `hashThreads`: a thread for this one password would stay for 30 seconds.
    {
      db,
      passwords: await createPasswords(1, queueWait, createPoolHasher(1, argon2id)),
      passwordProblem: createPasswordProblem(config),
      now,
    },
    config.firstAdmin,
  )
  const wantsDemo = demoProvider && !config.production && config.providers.length === 0
  const demo = wantsDemo ? await startDemoProvider({ publicUrl: config.publicUrl.origin + config.publicUrl.path }) : undefined
  const shutdown = createShutdown(logger)
  const { app, mailSender, pushNotifier, backgroundJobs, metrics, rules } = await createApp({
    config,
    demo: demo?.providers,
    mailbox: test?.mailbox(config),
    db,
    passwords,
    pages,
    now,
    logger,
    isStopping: shutdown.isStopping,
  })
  await prepared
  try {
    await app.listen({ ...config.listen, ...test?.listener })
  } catch (error) {
    throw cannotListen(error, config)
  }
  const metricsListener = config.metricsListen && createMetricsListener(metrics)
  if (config.metricsListen) await metricsListener?.listen(config.metricsListen)
  const stop = (why: string, drain: number) => {
    const parts = {
      server: app.server,
      webSockets: app.websocketServer.clients,
      end: () => [metricsListener?.close(), mailSender.stop(), pushNotifier.stop(), demo?.close()],
      release: async () => {
        await app.close()
        await hashThreads.close()
        await close()
        lock.release()
      },
    }
    backgroundJobs.stop()
    void shutdown.stop(why, drain, parts, () => process.exit(0))
  }
  // At a terminal there is no proxy to drain.
  process.on('SIGINT', () => stop('SIGINT', 0))
  process.on('SIGTERM', () => stop('SIGTERM', config.drain))
  // Without a rules file, SIGHUP ends the process, as a closed terminal should.
  if (config.rulesFile !== undefined) process.on('SIGHUP', () => void rules.reload())
  // The parent process, `npm start`, has ended.
  process.on('disconnect', () => stop('the parent process ended', config.drain))
  // Last resort: no single request may stop the process.
  process.on('unhandledRejection', err => logger.error({ err }, 'unhandled promise rejection'))
  process.stdout.write(greeting(config, await makeFirstAdmin(), demo !== undefined, rules.current().origins).join('\n'))
  mailSender.start()
  pushNotifier.start()
  backgroundJobs.start()
  watchClock(clock)
  // The greeting comes first; log from here on.
  logger.level = 'info'
  collectGarbage(limits.start.settled)
}

const pagesMissing = fromSource
  ? 'The pages are not built. Run npm start, which builds them.'
  : 'The package has no pages. Install it again.'

const logger = pino(
  { level: 'warn', base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: level => ({ level }) } },
  pino.destination(2),
)

/** Warns when the two clocks differ. One-time codes and expiry use the database's clock; logs and certificates use this machine's. */
const watchClock = (clock: Clock) => {
  const look = () => {
    const ahead = clock.ahead()
    if (Math.abs(ahead) > limits.clockSkew.warn)
      logger.warn(
        { seconds: Math.round(ahead / 1000) },
        "the database's clock differs from this machine's clock: synchronize both with NTP",
      )
  }
  look()
  setInterval(look, minutes(1)).unref()
}

const cannotListen = (error: unknown, { listen }: Config): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new CannotStart(
      `Port ${listen.port} is in use. Stop the program that uses it, or choose another port: GATEHOUSE_LISTEN=127.0.0.1:${listen.port + 1} ${startCommand}`,
    )
  if (code === 'EACCES')
    return new CannotStart(
      `No permission to listen on ${listen.host}:${listen.port}. Ports below 1024 need special permission. Choose another port with GATEHOUSE_LISTEN.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CannotStart(`GATEHOUSE_LISTEN: ${listen.host} is not an address of this machine.`)
  return error
}

const nameOf = { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' } as const

/**
 * Collects the garbage that the start left, which V8 would otherwise keep while the server is idle. This needs the flag `--expose-gc`,
 * which the command that starts the process passes.
 * @param after in milliseconds; by then the server has answered its first requests
 */
const collectGarbage = (after: number) => {
  void setTimeout(after, undefined, { ref: false }).then(() => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
}

const greeting = (config: Config, first: FirstAdmin, demo: boolean, protectedOrigins: readonly string[]): string[] => {
  const { origin, path, https } = config.publicUrl
  const lines = ['', `  Gatehouse is ready:  ${origin}${path}/`]
  if (first.password)
    lines.push(`  Sign in as           ${config.firstAdmin?.username}`, `  with the password    ${first.password}   (shown only once)`)
  else if (first.made) lines.push(`  Sign in as           ${config.firstAdmin?.username}, with the password from GATEHOUSE_ADMIN_PASSWORD`)
  else lines.push('  Sign in              with your existing account (forgot it? use ‘Forgot your password?’)')
  const kept = isHere(new URL(origin).hostname) ? `${origin}${path}/mail, on this machine only` : `kept in ${config.mailFolder}`
  lines.push(
    `  Email                ${config.smtp ? `sent through ${config.smtp.host}:${config.smtp.port}` : `${kept}; to send it, set GATEHOUSE_SMTP_URL`}`,
  )
  const missing = Object.values(nameOf).filter(name => !config.providers.some(({ provider }) => nameOf[provider] === name))
  if (demo) lines.push('  Google, Microsoft    simulated by a built-in demo; to use the real ones see docs/single-sign-on.md')
  else if (missing.length > 0) lines.push(`  Not configured       sign-in with ${missing.join(', ')}; see docs/single-sign-on.md`)
  if (config.passkeys.is === 'Off') lines.push(`  Passkeys             off: ${config.passkeys.why}`)
  if (!https) lines.push('  http only            cookies are not Secure. Fine for trying out, not for production.')
  if (protectedOrigins.length > 0) lines.push(`  Protects             ${protectedOrigins.join(', ')}`)
  return [...lines, '', '']
}

/** Starts the server in this process. If it cannot start, prints why and exits with 1. */
export const startServer = async (options: StartOptions): Promise<void> => {
  try {
    await start(options)
  } catch (error) {
    if (error instanceof ConfigProblems)
      process.stderr.write(`Gatehouse cannot start:\n${error.problems.map(problem => `  ${problem}\n`).join('')}`)
    else if (error instanceof CannotStart) process.stderr.write(`Gatehouse cannot start:\n  ${error.message}\n`)
    else {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
      process.stderr.write(`Gatehouse cannot start:\n  ${error instanceof Error ? error.message : String(error)}${cause}\n`)
    }
    process.exit(1)
  }
}
