import { routes } from '@gatehouse/wire'
import { expect } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from './authenticator.ts'
import { ada, startServer } from './harness.ts'

export const skippable = { env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } }
export const otp = otpOf(ada)

export const invalidCode = (status: 'Pending' | 'Denied') => ({
  tag: 'AuthFailureFactorError',
  contents: { tag: 'TOTPError', contents: { status, reason: { tag: 'InvalidCode' } } },
})

export const databaseError = (contents: object) => ({ tag: 'AuthFailureFactorError', contents: { tag: 'DatabaseError', contents } })
export const failed = { tag: 'AuthFailureFailedLogin' }

export const startWithAda = async (options: Parameters<typeof startServer>[0] = skippable) => {
  const server = await startServer(options)
  const userId = await server.addUser()
  return { server, userId }
}

/** Ada has an authenticator, and the clock has moved on to its next code. */
export const startEnrolled = async (options?: Parameters<typeof startServer>[0]) => {
  const { server, userId } = await startWithAda(options)
  const browser = server.openBrowser()
  const { secret, factorUUID } = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  const code = () => codeAt(secret, server.clock.at)
  const wrongCode = async () => {
    const near = await Promise.all([-1, 0, 1].map(step => codeAt(secret, server.clock.at + step * seconds(30))))
    return [111_111, 222_222, 333_333, 444_444].find(n => !near.includes(n)) ?? 555_555
  }
  const verify = (otpVerification: number, from = browser) => from.call(routes.verifyOTP, { ...otp, otpVerification })
  return { server, userId, browser, secret, factorUUID, code, wrongCode, verify }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** The page and the token that a mail links to. */
export const linkIn = (mail: { text: string } | undefined) => {
  const [, page = '', selector = '', token = ''] = /http:\/\/localhost:8080\/([a-z-]+)#([\w-]+)\.([\w-]+)/.exec(mail?.text ?? '') ?? []
  return { page, claim: { selector, token } }
}

export const askForReset = async (server: Server, browser: ReturnType<Server['openBrowser']>) => {
  const asked = await browser.call(routes.resetOTP, otp)
  if (asked.tag !== 'AuthRequiresFactorReset') throw new Error(asked.tag)
  const mail = (await server.deliver()).find(one => one.subject.startsWith('Reset two factor') || one.text.includes('/new-factor#'))
  return { factorUUID: asked.contents, mail }
}

export const resetFactor = async (server: Server, browser: ReturnType<Server['openBrowser']>) => {
  const { factorUUID, mail } = await askForReset(server, browser)
  const factor = offered(await server.openBrowser().call(routes.newFactor, linkIn(mail).claim))
  expect(factor.factorUUID).toBe(factorUUID)
  const secret = secretOf(factor)
  const body = { ...otp, otpVerification: await codeAt(secret, server.clock.at), otpFactorUUID: factorUUID }
  const done = await browser.call(routes.setupOTP, body)
  expect(done.tag).toBe('AuthSuccessful')
  return { secret, factorUUID, done }
}
