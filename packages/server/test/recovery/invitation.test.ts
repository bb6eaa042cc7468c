import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administrationRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { importCsv } from '../../src/cli/import/import.ts'
import { minutes } from '../../src/limits.ts'
import { askForReset } from '../credentials/mailed-recovery.ts'
import { runImport } from '../moving-in/run-import.ts'
import { type Server, signInAtProvider, startLinked, startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt } from '../support/authenticator.ts'
import { ada, admin, startServer } from '../support/harness.ts'

const invitation = ['Set up your account', '24 hours']
const reset = ['Reset your password', '30 minutes']

/** The subject of the newest mail with a link to choose a password, and how long the link works. */
const mailed = async (server: Server) => {
  const mail = (await server.deliver()).find(({ text }) => text.includes('/new-password#'))
  return [mail?.subject.split(' · ')[0], /24 hours|30 minutes/.exec(mail?.text ?? '')?.[0]]
}

const sentByAdministrator = async (server: Server, userIdent: string) => {
  await server.addUser(admin)
  const browser = server.openBrowser()
  await browser.enter(admin)
  const { userId } = await server.db.selectFrom('users').select('userId').where('userIdent', '=', userIdent).executeTakeFirstOrThrow()
  await browser.call(administrationRoutes.sendLink, { userId })
  return mailed(server)
}

const sentToVisitor = async (server: Server) => {
  server.clock.advance(minutes(1))
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  return mailed(server)
}

test('an imported user with an authenticator app and no password is invited until the first sign-in', async () => {
  const server = await startServer()
  const file = join(server.folder, 'users.csv')
  await writeFile(file, `email,password_hash,totp\n${ada.username},,JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP\n`)
  await runImport(server, importCsv, file, { apply: '', invite: '' })
  expect(await mailed(server)).toEqual(invitation)
  expect(await sentToVisitor(server)).toEqual(invitation)
  server.clock.advance(minutes(1))
  expect(await sentByAdministrator(server, ada.username)).toEqual(invitation)

  server.clock.advance(minutes(1))
  const { selector, token } = await askForReset(server)
  const choice = { newpassword: ada.password, newpasswordverification: ada.password }
  const browser = server.openBrowser()
  await browser.call(routes.resetPassword, { username: ada.username, resettoken: `${selector}.${token}`, ...choice })
  const otp = { otpUsername: ada.username, otpPassword: ada.password }
  const code = await codeAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', server.clock.at)
  const outcome = await browser.call(routes.verifyOTP, { ...otp, otpVerification: code })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await browser.call(routes.plowlogin, outcome.contents)
  expect(await sentToVisitor(server)).toEqual(reset)
})

test('a user who signs in only with a provider gets a 30-minute reset link from an administrator, not an invitation', async () => {
  const { server } = await startLinked()
  await server.db.updateTable('users').set({ userPassword: null }).execute()
  expect(await sentByAdministrator(server, ada.username)).toEqual(reset)
})

test('a user whom a provider added gets a 30-minute reset link, not an invitation, even before the first session', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  await signInAtProvider(server.openBrowser(), idp)
  expect(await server.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  expect(await sentByAdministrator(server, ada.username)).toEqual(reset)
})

test('a user who has signed in and has no way left to sign in gets a 30-minute reset link, not an invitation', async () => {
  const server = await startServer()
  await server.addUser()
  await server.openBrowser().enter()
  await server.db.updateTable('users').set({ userPassword: null }).execute()
  expect(await sentToVisitor(server)).toEqual(reset)
  server.clock.advance(minutes(1))
  expect(await sentByAdministrator(server, ada.username)).toEqual(reset)
})
