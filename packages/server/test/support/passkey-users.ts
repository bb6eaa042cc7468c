import { passkeyRoutes, routes } from '@gatehouse/wire'
import { ada, type Browser, startServer } from './harness.ts'
import { makePasskeyDevice, type PasskeyDevice, type Wrong } from './passkey-device.ts'

export const origin = 'http://localhost:8080'

/** Adds a passkey on the account page. */
export const addPasskey = async (browser: Browser, device: PasskeyDevice) =>
  browser.call(passkeyRoutes.passkeyAdd, { credential: device.create(await browser.call(passkeyRoutes.passkeyAddOptions, {})) })

export const optionsFor = (browser: Browser, purpose: 'SignIn' | 'SecondFactor' | 'Reauthentication') =>
  browser.call(passkeyRoutes.passkeyOptions, { purpose })

/** Signs in with a passkey alone. */
export const usePasskey = async (browser: Browser, device: PasskeyDevice, wrong: Wrong = {}) =>
  browser.call(passkeyRoutes.passkeySignIn, { credential: device.get(await optionsFor(browser, 'SignIn'), wrong) })

/** Signs in with the password, as a page that handles passkeys does. */
export const signInAware = (browser: Browser, user = ada) =>
  browser.call(routes.getAuthTokenWithError, { ...user, useragent: '', passkeys: true })

/** Ada has signed in with the password and added a passkey. */
export const startWithPasskey = async (
  options: Parameters<typeof startServer>[0] = {},
  of: Parameters<typeof makePasskeyDevice>[1] = {},
) => {
  const server = await startServer(options)
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const device = makePasskeyDevice(origin, of)
  const added = await addPasskey(browser, device)
  return { server, userId, browser, device, added }
}
