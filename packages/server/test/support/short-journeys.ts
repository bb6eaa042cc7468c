import { accountRoutes, approverRoutes, routes } from '@gatehouse/wire'
import { permit } from '../../src/credentials/credential-rules.ts'
import { readPushKeys } from '../../src/factors/push/push-keys.store.ts'
import { listKeys } from '../../src/forward-auth/assertions/signing-keys.store.ts'
import { advance } from '../../src/forward-auth/open-door/door-course.ts'
import { claimRound, keepDoor } from '../../src/forward-auth/open-door/doors.store.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, minutes, seconds } from '../../src/limits.ts'
import { listMails } from '../../src/mail/outbox.store.ts'
import { addUserPass } from '../../src/passes/passes.store.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { addPush, claimOf, enrollDevice, requestApproval } from '../factors/device.ts'
import { makeSubscription } from '../factors/push-service.ts'
import { ask, grafana, page, start } from '../forward-auth/return-journey.ts'
import { startAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { enroll, otpOf } from './authenticator.ts'
import { ada, type Browser, startServer } from './harness.ts'
import { startWithPasskey, usePasskey } from './passkey-users.ts'

/** The secret half of each cookie, or the whole value of a cookie with only one part. */
const cookieSecrets = ({ jar }: Browser) =>
  [...jar].flatMap(([name, value]) => (name === 'gatehouse-signed-in' ? [] : [value.split('.')[1] ?? value]))

/** Leaves a phone approval, an enrollment, a ticket and a mail pending. @returns the secrets that browsers and the phone hold */
const makePendingJourney = async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_PUSH_PRIVATE: 'on' } })
  await server.addUser()
  const [computer, waiting] = [server.openBrowser(), server.openBrowser()]
  const { secret } = await enroll(computer, server.clock)
  const device = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  await device.verify()
  const nonce = await device.nonce()
  await device.phone.call(approverRoutes.pending, await device.device.prove(device.factorUUID, nonce, approverRoutes.pending.path))
  await device.subscribe(makeSubscription('http://127.0.0.1:9/device').subscription)
  const { token } = claimOf((await addPush(computer, 'Tablet')).link)
  server.clock.advance(seconds(30))
  await requestApproval(waiting)
  const { recoveryCodes } = await computer.call(accountRoutes.userRecoveryCodes, {})
  await computer.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: 0 })
  const visitor = server.openBrowser()
  await visitor.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  await visitor.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  await computer.call(accountRoutes.userEmailChange, { newemail: 'new@example.com', password: ada.password })
  await server.app.inject('/readyz')
  const keyring = createKeyring(server.config.masterKeys)
  const [mail] = await listMails(server.db, keyring, 1)
  if (!mail?.content || !('message' in mail.content) || !('link' in mail.content.message)) throw new Error('no link waits in the outbox')
  const linkToken = mail.content.message.link.split('.').at(-1) ?? ''
  const keys = await readPushKeys(server.db, keyring)
  if (!keys?.privateKey) throw new Error('the server has no push keys')
  const cookies = [computer, waiting, visitor].flatMap(cookieSecrets)
  server.clock.advance(hours(1))
  await server.backgroundJobs.countSteps()
  return { server, secrets: new Set([ada.password, secret, nonce, token, keys.privateKey, ...recoveryCodes, linkToken, ...cookies]) }
}

/** Leaves a sign-in at a provider. @returns what the browser brings back */
const makeProviderJourney = async () => {
  const { server } = await startWithProvider()
  await server.addUser()
  const browser = server.openBrowser()
  const { headers } = await startAtProvider(browser)
  const state = new URL(headers.location ?? '').searchParams.get('state') ?? ''
  return { server, secrets: new Set([state, ...cookieSecrets(browser)]) }
}

/** Adds a passkey and signs in with it. @returns what the browsers and the authenticator hold */
const makePasskeyJourney = async () => {
  const { server, browser, device } = await startWithPasskey()
  const other = server.openBrowser()
  await usePasskey(other, device)
  const privateKeys = device.held.map(({ privateKey }) => privateKey.export({ format: 'jwk' }).d ?? '')
  return { server, secrets: new Set([ada.password, ...privateKeys, ...cookieSecrets(browser), ...cookieSecrets(other)]) }
}

const factsOfNewUser = { hasPassword: true, isPasswordByMail: false, hasFactor: false, vouched: { Azure: null, Google: null, Pak: null } }

/** Stores a pass directly: no rule of this journey admits passes, so the account page would refuse to create one. */
const addPassOf = (server: Awaited<ReturnType<typeof start>>, userId: string) =>
  server.db.transaction().execute(tx => {
    const permitted = permit(
      tx,
      userId,
      'create-pass',
      { session: { isFresh: true, usedOwnFactor: true, usedFactorRecently: true } },
      factsOfNewUser,
    )
    if ('refused' in permitted) throw new Error(permitted.refused)
    const scope = { to: [`${grafana}/*`], methods: null, from: null }
    return addUserPass(permitted, { name: 'Backup', scope, factor: null, now: server.clock.at, expires: server.clock.at + days(30) })
  })

/** Asks for a protected address with the cookies of a session that has ended. */
const makeReturnJourney = async () => {
  const server = await start()
  const browser = server.openBrowser()
  await browser.enter()
  await browser.get('/gate/auth/forward', page)
  server.clock.advance(minutes(90))
  const signing = await listKeys(server.db, createKeyring(server.config.masterKeys))
  const { userId } = await server.db.selectFrom('users').select('userId').executeTakeFirstOrThrow()
  const pass = await addPassOf(server, userId)
  // Store the result of a check directly: the alarm itself would request an address on the internet.
  await claimRound(server.db, server.clock.at)
  const finding = { state: 'Open', path: '/', status: 200, detail: null } as const
  await keepDoor(server.db, { origin: grafana, ...advance(undefined, finding, server.clock.at) })
  const secrets = [
    ...cookieSecrets(browser),
    pass.slice('gh_pass_'.length + 22, -8),
    ...signing.map(({ privateJwk }) => privateJwk?.d ?? ''),
  ]
  if (signing.length !== 1) throw new Error('the server has no key that signs assertions')
  if ((await ask(browser, `${grafana}/d/1?from=now`)) === undefined) throw new Error('the address was not kept')
  return { server, secrets: new Set([...secrets, ...cookieSecrets(browser)]) }
}

export const shortJourneys = [makePendingJourney, makeProviderJourney, makePasskeyJourney, makeReturnJourney]
