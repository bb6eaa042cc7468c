import { accountRoutes, routes } from '@gatehouse/wire'
import type { ParsedMail } from 'mailparser'
import { seconds } from '../../src/limits.ts'
import { bindingOf, type Client, type Credentials, codeAt, openClient, otp, outcomeOf, signIn, tokenOf } from '../credentials/deployment.ts'
import { recipientOf } from '../mail/smtp-sink.ts'

/** Something the server acknowledged, and a check that it still holds. */
export type Fact = { what: string; holds: (client: Client) => Promise<boolean> }

/** A user with an authenticator and recovery codes. */
type Enrolled = { user: Credentials; factorUUID: string; codes: string[]; used: string[]; unsure: number; checked: number }

/** The facts that the server acknowledged before it was killed. Add an entry only after the complete answer has arrived. */
export const createJournal = () => ({
  facts: [] as Fact[],
  /** Sessions that were not ended. */
  open: new Set<ReadonlyMap<string, string>>(),
  verified: [] as { user: Credentials; factorUUID: string; step: number }[],
  enrolled: [] as Enrolled[],
  skips: new Map<string, number>(),
  /** Usernames whose password was reset. */
  reset: [] as string[],
  /** Requested mails: the recipient, and the page the link opens. */
  asked: [] as { to: string; page: string }[],
  failures: 0,
})
export type Journal = ReturnType<typeof createJournal>

/** Whether a session opens the account page. */
export const isAlive = async (client: Client) => (await client.get('/account')).status === 200
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Clients that perform every kind of write, one after another, and record the acknowledged ones. */
export const createTraffic = (journal: Journal, users: Credentials[], mails: readonly ParsedMail[]) => {
  const fresh = () => {
    const user = users.pop()
    if (!user) throw new Error('there are not enough users')
    return user
  }
  let url = ''
  let isUp = false
  /** Opens a browser with these cookies at the current server. */
  const openAgain = (jar: ReadonlyMap<string, string>) => openClient([url], jar)
  const free: Enrolled[] = []
  const waiting = new Map<string, Credentials>()

  /** Redeems the hand-over code for a session, and optionally ends it. */
  const stay = async (client: Client, token: object, ends: boolean) => {
    const before = new Map(client.jar)
    const answer = await client.post(routes.plowlogin.path, token)
    if (answer.status !== 200) throw new Error(`no session: ${answer.status}`)
    journal.facts.push({
      what: 'a hand-over that was used',
      holds: async () => (await openAgain(before).post(routes.plowlogin.path, token)).status === 401,
    })
    const session = new Map(client.jar)
    if (!ends) {
      journal.open.add(session)
      return
    }
    const out = await client.post(routes.logoutBySelf.path, {})
    if (out.status !== 200) throw new Error(`no sign-out: ${out.status}`)
    journal.facts.push({ what: 'a session that was ended', holds: async () => !(await isAlive(openAgain(session))) })
  }

  const setUp = async (client: Client, user: Credentials, { factorUUID, secret }: { factorUUID: string; secret: string }) => {
    const at = Date.now()
    const token = tokenOf(outcomeOf(await client.post(routes.setupOTP.path, otp(user, await codeAt(secret, at), factorUUID))))
    journal.verified.push({ user, factorUUID, step: Math.floor(at / seconds(30)) })
    return token
  }

  /** Enrolls an authenticator at the first sign-in, and creates recovery codes. */
  const enrollUser = async (client: Client) => {
    const user = fresh()
    const binding = bindingOf(await signIn(client, user))
    await stay(client, await setUp(client, user, binding), false)
    const { status, body } = await client.post(accountRoutes.userRecoveryCodes.path, {})
    if (status !== 200) throw new Error(`no recovery codes: ${status}`)
    const enrolled = { user, factorUUID: binding.factorUUID, codes: [...Object(body).recoveryCodes], used: [], unsure: 0, checked: 0 }
    journal.enrolled.push(enrolled)
    free.push(enrolled)
  }

  /** Signs in with a recovery code and signs out. */
  const signInAndOut = async (client: Client) => {
    const person = free.shift()
    const code = person?.codes.shift()
    if (!person || !code) {
      await pause(20)
      return
    }
    person.unsure++
    const { username: otpUsername, password: otpPassword } = person.user
    const token = tokenOf(outcomeOf(await client.post(routes.recoveryCode.path, { otpUsername, otpPassword, otpRecoveryCode: code })))
    person.unsure--
    person.used.push(code)
    // Five wrong codes in a row pause the user's codes. Keep the deliberate refusals below that.
    person.checked = 0
    free.push(person)
    await stay(client, token, true)
  }

  const skip = async (client: Client) => {
    const user = fresh()
    for (let n = 1; n <= 3; n++) {
      const { factorUUID } = bindingOf(await signIn(client, user))
      tokenOf(outcomeOf(await client.post(routes.setupOTP.path, otp(user, null, factorUUID))))
      journal.skips.set(user.username, n)
    }
  }

  const askForMail = async (client: Client) => {
    const user = fresh()
    const page = Math.random() < 0.5 ? 'one-time-link' : 'new-password'
    const { status } =
      page === 'new-password'
        ? await client.post(routes.sendPasswordResetEmail.path, { useremail: user.username })
        : await client.post(routes.magiclinkSend.path, [{ email: user.username, redirect: { tag: 'RedirectDashboard' } }])
    if (status !== 200) throw new Error(`no mail: ${status}`)
    journal.asked.push({ to: user.username, page })
    waiting.set(user.username, user)
    await pause(60)
  }

  /** Redeems a link from the newest mail: on a slow machine, more mails are asked for than followed, and old links expire. */
  const followLink = async (client: Client) => {
    const mail = mails.findLast(one => waiting.has(recipientOf(one)))
    const user = mail && waiting.get(recipientOf(mail))
    const [, page, selector = '', token = ''] = /\/([\w-]+)#([\w-]+)\.([\w-]+)/.exec(mail?.text ?? '') ?? []
    if (!user) {
      await pause(20)
      return
    }
    waiting.delete(user.username)
    if (page === 'new-password') await resetPassword(client, user, `${selector}.${token}`)
    else await signInByLink(client, user, { selector, token })
  }

  const resetPassword = async (client: Client, { username }: Credentials, resettoken: string) => {
    const newpassword = 'a password after the reset'
    const request = { username, resettoken, newpassword, newpasswordverification: newpassword }
    const { status } = await client.post(routes.resetPassword.path, request)
    if (status !== 200) throw new Error(`no new password: ${status}`)
    journal.reset.push(username)
    const holds = async (again: Client) => (await again.post(routes.resetPassword.path, request)).status === 410
    journal.facts.push({ what: 'a reset link that was used', holds })
  }

  const signInByLink = async (client: Client, user: Credentials, link: { selector: string; token: string }) => {
    const binding = bindingOf(outcomeOf(await client.post(routes.magiclinkRedeem.path, link)))
    const isRefused = async (again: Client, path: string, body: object) =>
      outcomeOf(await again.post(path, body)).tag === 'AuthFailureFailedLogin'
    const holds = (again: Client) => isRefused(again, routes.magiclinkRedeem.path, link)
    journal.facts.push({ what: 'a one-time link that was used', holds })
    const ticket = new Map(client.jar)
    const nobody = { username: '', password: '' }
    const token = await setUp(client, { ...nobody, username: user.username }, binding)
    const useAgain = () => isRefused(openAgain(ticket), routes.verifyOTP.path, otp(nobody, 123456))
    journal.facts.push({ what: 'a ticket that was used', holds: useAgain })
    await stay(client, token, Math.random() < 0.5)
  }

  const guess = async (client: Client) => {
    await signIn(client, { username: 'nobody@example.com', password: 'x' })
    journal.failures++
  }

  /** Repeats until the server is gone. @throws on any answer a server must not give */
  const repeat = async (work: (client: Client) => Promise<unknown>) => {
    while (isUp) {
      try {
        await work(openClient([url]))
      } catch (error) {
        // The connection broke before or during the answer.
        if (!(error instanceof TypeError && /fetch failed|terminated/.test(error.message))) throw error
      }
    }
  }

  return {
    /** Tells the clients that the server now runs at this address. */
    moveTo: (to: string) => {
      url = to
      isUp = true
    },
    stop: () => {
      isUp = false
    },
    run: () => Promise.all([enrollUser, signInAndOut, skip, askForMail, followLink, followLink, guess].map(repeat)),
  }
}
