import { plainPages as at, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { offered, otpOf } from '../support/authenticator.ts'
import { ada, admin, startServer } from '../support/harness.ts'

const signIn = async (server: Awaited<ReturnType<typeof startServer>>, user = ada) => {
  const outcome = await server.openBrowser().signIn(user)
  if (outcome.tag !== 'AuthRequiresFactorCreation') throw new Error(outcome.tag)
  return outcome
}
const start = async (env: Record<string, string>) => {
  const server = await startServer({ env })
  await server.addUser()
  return server
}

test('MF-03: the outcome says that administrators, and users where a second factor is required, cannot skip; for others it says nothing', async () => {
  const skippable = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: admin.username })
  await skippable.addUser(admin)
  expect(await signIn(skippable)).not.toHaveProperty('skipRefused')
  expect(await signIn(skippable, admin)).toHaveProperty('skipRefused', 'Administrator')
  expect(await signIn(await start({ GATEHOUSE_SECOND_FACTOR: 'required' }))).toHaveProperty('skipRefused', 'Required')
})

test('MF-03: tells a user at the next sign-in that the deferrals are used up, even on the page without JavaScript', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const page = async () => {
    const browser = server.openBrowser()
    await browser.submit(at.login, ada)
    return (await browser.get(at.secondFactor)).body
  }
  expect(await page()).toContain('Skip factor authentication')
  for (let i = 0; i < 3; i++) {
    const factor = offered(await signIn(server))
    const skipped = await server.openBrowser().call(routes.setupOTP, { ...otpOf(ada), otpFactorUUID: factor.factorUUID })
    expect(skipped.tag).toBe('AuthSuccessful')
  }
  expect(await signIn(server)).toHaveProperty('skipRefused', 'UsedUp')
  const last = await page()
  expect(last).not.toContain('Skip factor authentication')
  expect(last).toContain('You can’t skip this step again.')
})
