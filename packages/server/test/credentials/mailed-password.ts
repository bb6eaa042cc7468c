import { routes } from '@gatehouse/wire'
import { ada, type Browser, type startServer } from '../support/harness.ts'
import { otp } from '../support/second-factor-users.ts'
import { mailedLink } from './mailed-link.ts'

type Server = Awaited<ReturnType<typeof startServer>>
const ticket = { otpUsername: '', otpPassword: '' }

/** The password set by an attacker who can only read the mailbox. */
export const mailed = { username: ada.username, password: 'a password of the attacker' }

/** Resets Ada's password by email, as anyone with access to her mailbox can. */
export const resetByMail = async (server: Server, password = mailed.password) => {
  const browser = server.openBrowser()
  server.clock.advance(1)
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const { selector, token } = mailedLink(await server.deliver(), 'new-password')
  const verified = { newpassword: password, newpasswordverification: password }
  await browser.call(routes.resetPassword, { username: ada.username, resettoken: `${selector}.${token}`, ...verified })
}

/** Opens a one-time link; the browser then holds a ticket. */
export const openOneTimeLink = async (server: Server, browser: Browser) => {
  server.clock.advance(1)
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  return browser.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
}

export const codeByTicket = (browser: Browser, otpVerification: number) => browser.call(routes.verifyOTP, { ...ticket, otpVerification })
export const recoveryCodeByTicket = (browser: Browser, otpRecoveryCode: string) =>
  browser.call(routes.recoveryCode, { ...ticket, otpRecoveryCode })

/** Requests a factor reset with a password. @returns whether the server sent the link */
export const resetSendsLink = async (server: Server, { password } = mailed) => {
  const count = async () => (await server.deliver()).filter(mail => mail.text.includes('/new-factor#')).length
  server.clock.advance(1)
  const before = await count()
  await server.openBrowser().call(routes.resetOTP, { ...otp, otpPassword: password })
  return (await count()) > before
}
