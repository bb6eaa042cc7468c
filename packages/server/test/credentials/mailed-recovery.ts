import { routes } from '@gatehouse/wire'
import { expect } from 'vitest'
import { ada, startServer } from '../support/harness.ts'

export const skippable = { env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } }
export const failed = { tag: 'AuthFailureFailedLogin' }
export const newPassword = 'a wholly new password'
type Server = Awaited<ReturnType<typeof startServer>>
export type Browser = ReturnType<Server['openBrowser']>
export const kinds = { 'one-time-link': 'OneTimeLink', 'new-password': 'PasswordReset', 'new-factor': 'FactorReset' } as const

/** The token of the newest mailed link to this page. */
export const linkTo = async (server: Server, page: keyof typeof kinds) => {
  for (const { text } of await server.deliver()) {
    const [, selector, token] = new RegExp(`http://localhost:8080/${page}#([\\w-]+)\\.([\\w-]+)`).exec(text) ?? []
    if (selector && token) return { selector, token }
  }
  throw new Error(`no mail leads to ${page}`)
}

export const askForLink = async (server: Server, email = ada.username) => {
  server.clock.advance(1)
  const redirect = { tag: 'RedirectDashboard' }
  expect(await server.openBrowser().call(routes.magiclinkSend, [{ email, redirect }])).toEqual({ tag: 'Ok' })
  return linkTo(server, 'one-time-link')
}

export const askForReset = async (server: Server, useremail = ada.username) => {
  server.clock.advance(1)
  expect(await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail })).toEqual({})
  return linkTo(server, 'new-password')
}

export const lookAt = (server: Server, page: keyof typeof kinds, claim: { selector: string; token: string }) =>
  server.openBrowser().call(routes.mailLinkLook, { kind: kinds[page], ...claim })

export const reset = (
  browser: Browser,
  { selector, token }: { selector: string; token: string },
  password = newPassword,
  username = ada.username,
) =>
  browser.send('POST', routes.resetPassword.path, {
    username,
    resettoken: `${selector}.${token}`,
    newpassword: password,
    newpasswordverification: password,
  })

export const startWithAda = async (options?: Parameters<typeof startServer>[0]) => {
  const server = await startServer(options)
  await server.addUser()
  return server
}
