import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { mailedLink } from '../credentials/mailed-link.ts'
import { enroll, otpOf } from '../support/authenticator.ts'
import { bodies, posts } from '../support/bodies.ts'
import { ada, admin, startServer } from '../support/harness.ts'

test('AZ-04: answers each call with exactly the documented fields', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const raw = async (path: string, body: unknown) => (await browser.send('POST', path, body)).json()
  const fields = (value: object) => Object.keys(value).sort()
  const otp = otpOf(ada)
  const creation = await raw(routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  expect([fields(creation), fields(creation.contents), fields(creation.contents.factorBinding.contents)]).toEqual([
    ['contents', 'tag'],
    ['factorBinding', 'factorDateCreated', 'factorFactorType', 'factorFriendlyName', 'factorIdentity', 'factorStatus', 'factorUUID'],
    ['factorTOTPBindingAlg', 'factorTOTPBindingFactorUUID', 'factorTOTPBindingSecret', 'factorTOTPBindingURI'],
  ])
  await enroll(browser, server.clock)
  server.clock.advance(30_000)
  expect(await raw(routes.getAuthTokenWithError.path, { ...ada, useragent: '' })).toEqual({ tag: 'AuthRequires2FA' })
  const reset = await raw(routes.resetOTP.path, otp)
  expect(reset).toEqual({ tag: 'AuthRequiresFactorReset', contents: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(await raw(routes.sendPasswordResetEmail.path, { useremail: ada.username })).toEqual({})
  expect(await raw(routes.magiclinkSend.path, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])).toEqual({ tag: 'Ok' })
  expect(await raw(accountRoutes.userEmailChange.path, { newemail: 'new@example.com', password: ada.password })).toEqual({})
  const mails = await server.deliver()
  const look = (kind: string, page: Parameters<typeof mailedLink>[1]) => raw(routes.mailLinkLook.path, { kind, ...mailedLink(mails, page) })
  expect(await look('OneTimeLink', 'one-time-link')).toEqual({ state: 'Good', email: 'a•••@example.com' })
  expect(await look('FactorReset', 'new-factor')).toEqual({ state: 'Good', email: 'a•••@example.com' })
  expect(await look('PasswordReset', 'new-password')).toEqual({ state: 'Good', email: ada.username })
  expect(await look('EmailChange', 'confirm-email')).toEqual({ state: 'Good', email: 'new@example.com' })
  // A link of another kind or with a wrong token reveals nothing.
  expect(await look('OneTimeLink', 'new-password')).toEqual({ state: 'Unknown' })
  const { selector } = mailedLink(mails, 'new-password')
  expect(await raw(routes.mailLinkLook.path, { kind: 'PasswordReset', selector, token: 'x' })).toEqual({ state: 'Unknown' })
  expect(await raw(accountRoutes.userEmailConfirm.path, mailedLink(mails, 'confirm-email'))).toEqual({})
  expect(await raw(routes.logoutBySelf.path, {})).toBe('Signed out')
})

/** Fields that may be missing or null. */
const optional = new Set([
  'otpVerification',
  'otpFactorUUID',
  'authTokenUserAgent',
  'authTokenExpires',
  'authTokenUser',
  'userUpdate.timezone',
  'userLanguage.userLanguage',
  'users.search',
  'users.filter',
  'users.after',
  'board.range',
  'passes.search',
  'passes.holders',
  'passes.userId',
  'passes.service',
  'passes.after',
  'answer.number',
  'subscribe.subscription',
])

test('IN-01, IN-03: requires every field of every call, of one type and bounded size, and refuses unknown fields', async () => {
  const server = await startServer()
  await server.addUser()
  await server.addUser(admin)
  const browser = server.openBrowser()
  await browser.enter(admin)
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const before = await server.db.selectFrom('audit').selectAll().execute()
  const refused = async (path: string, what: string, payload: string) => {
    const { statusCode, body } = await server.app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': 'application/json', cookie },
    })
    const { error, ...more } = JSON.parse(body)
    return statusCode === 400 && /: \S/.test(error) && Object.keys(more).length === 0 ? [] : [[path, what, statusCode, body]]
  }
  const wrong: unknown[] = []
  for (const { name, path, body } of posts) {
    const whole = Array.isArray(body) ? body[0] : body
    const wrap = (value: object) => JSON.stringify(Array.isArray(body) ? [value] : value)
    if (typeof whole !== 'object') continue
    wrong.push(...(await refused(path, 'one more field', wrap({ ...whole, more: 1 }))))
    for (const field of Object.keys(whole)) {
      const isOptional = optional.has(field) || optional.has(`${name}.${field}`)
      const { [field]: _, ...without } = whole
      const lists = Array.isArray(whole[field]) ? [[1], ['\0'], ['x'.repeat(5000)], Array(1000).fill('a')] : [[], ['a']]
      const odd = [1.5, true, {}, '\0', 'x'.repeat(5000), { tag: 'x' }, ...lists, ...(isOptional ? [] : [null])]
      if (!isOptional) wrong.push(...(await refused(path, `no ${field}`, wrap(without))))
      for (const value of odd)
        wrong.push(...(await refused(path, `${field}: ${JSON.stringify(value).slice(0, 20)}`, wrap({ ...whole, [field]: value }))))
      const half = wrap({ ...whole, [field]: 'HALF' }).replace('HALF', '\\ud800')
      wrong.push(...(await refused(path, `${field}: half a character`, half)))
      const again = wrap(whole).replace(`"${field}":`, `"${field}":"x","${field}":`)
      wrong.push(...(await refused(path, `${field} twice`, again)))
    }
  }
  expect(wrong).toEqual([])
  // TP-04: a code is an integer of at most six digits.
  for (const code of [-1, 1e6, 1.5, '123456', '1e5', Number.MAX_SAFE_INTEGER + 1]) {
    const payload = JSON.stringify({ ...(bodies.verifyOTP as object), otpVerification: code })
    expect(await refused(routes.verifyOTP.path, String(code), payload)).toEqual([])
  }
  expect(await refused(routes.verifyOTP.path, '1e999', JSON.stringify(bodies.verifyOTP).replace('123456', '1e999'))).toEqual([])
  expect(await server.db.selectFrom('audit').selectAll().execute()).toEqual(before)
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
})
