import { routes } from '@gatehouse/wire'
import { createKeyring } from '../../src/keys/keyring.ts'
import { createMail } from '../../src/mail/mail.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { startInProcess } from '../credentials/deployment.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { freePort } from '../support/free-port.ts'
import { ada } from '../support/harness.ts'
import { startSmtpSink } from './smtp-sink.ts'

export const admin = { username: 'admin@example.com', password: 'a password for mail failures' }
export type Ask = (name: string) => [path: string, body: unknown]
export const askForReset: Ask = useremail => [routes.sendPasswordResetEmail.path, { useremail }]
export const askForLink: Ask = email => [routes.magiclinkSend.path, [{ email, redirect: { tag: 'RedirectDashboard' } }]]

/** Starts a server in this process that sends its mail to a test mail server. */
export const startWithSink = async (sink: { url: string }) => {
  const deployment = await startInProcess({ GATEHOUSE_SMTP_URL: sink.url })
  await deployment.addUser(ada)
  const outbox = () => deployment.server.db.selectFrom('outbox').selectAll().orderBy('mailId').execute()
  return { ...deployment, ...deployment.server, outbox }
}

export const notifyAll = async (
  deployment: Pick<Awaited<ReturnType<typeof startWithSink>>, 'config' | 'clock' | 'db'>,
  addresses: readonly string[],
) => {
  const mail = createMail({
    keyring: createKeyring(deployment.config.masterKeys),
    now: () => deployment.clock.at,
    administrators: [],
    texts: createServerLanguages([], 'en'),
  })
  for (const userIdent of addresses) {
    const recipient = { userId: 'x', userIdent, userTZLabel: 'UTC', userLanguage: null, userLastLanguage: null }
    await mail.notify(deployment.db, recipient, { kind: 'factor-added' }, { address: '', userAgent: '' })
  }
}

/** Prepares an installation whose server processes send their mail to a test mail server. */
export const makeInstallationWithSink = async () => {
  const sink = await startSmtpSink()
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_SMTP_URL: sink.url, GATEHOUSE_ADMIN_PASSWORD: admin.password }
  const start = async () => startProcess({ ...env, GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}` })
  const outbox = () => installation.inDatabase(db => db.selectFrom('outbox').selectAll().execute())
  return { ...installation, env, sink, start, outbox }
}
