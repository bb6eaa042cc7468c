import { pages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { bindingOf, type Client, enroll, otp, signIn, startInProcess } from '../credentials/deployment.ts'
import { byOutcome, factorError, kinds, missingFactor, oneOfAll, parallel, race, ready } from '../processes/races.ts'
import { ada } from '../support/harness.ts'

test.each(Object.keys(kinds))('CC-01, RX-5: %s: exactly one of 200 concurrent requests succeeds, and none later', async name => {
  const deployment = await startInProcess()
  await deployment.addUser(ada)
  const once = await ready(name, deployment, ada)
  expect(await race(deployment, once)).toEqual(oneOfAll)
  expect(await once.use(deployment.open(once.jar), 0)).toBe('refused')
})

test('SE-10: of 200 concurrent requests to plowlogin and the token page, one starts a session and one reaches the dashboard', async () => {
  const deployment = await startInProcess()
  await deployment.addUser(ada)
  const { client, token } = await enroll(deployment, ada)
  const { authTokenSelector, authTokenToken } = token
  const came = await Promise.all(
    Array.from({ length: parallel }, async (_, n) => {
      for (let tries = 1; ; tries++) {
        const copy = deployment.open(client.jar)
        const answer =
          n % 2
            ? await copy.post(routes.plowlogin.path, { authTokenSelector, authTokenToken })
            : await copy.get(pages.token(authTokenSelector, authTokenToken))
        const { status, retryAfter } = answer
        if (status !== 503 || !retryAfter || tries === 20) return { status, session: copy.jar.get('gatehouse-session') }
        await new Promise(resolve => setTimeout(resolve, seconds(Math.random() * 2)))
      }
    }),
  )
  expect(came.filter(({ session }) => session)).toHaveLength(1)
  expect(came.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(came.filter(({ status }) => ![200, 303, 401, 410].includes(status))).toEqual([])
  expect(await deployment.server.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
})

test('CC-01: concurrent deferrals of a second factor never exceed three', async () => {
  const deployment = await startInProcess()
  await deployment.addUser(ada)
  let skips = 0
  for (const many of [parallel, 10, 10, 10]) {
    const { factorUUID } = bindingOf(await signIn(deployment.open(), ada))
    const noFactors = factorError({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } })
    const use = async (client: Client) =>
      byOutcome(
        await client.post(routes.setupOTP.path, otp(ada, null, factorUUID)),
        ['AuthSuccessful'],
        [missingFactor(factorUUID), noFactors],
      )
    const { used = 0, refused = 0, ...others } = await race(deployment, { jar: new Map(), use }, many)
    expect([used + refused, others]).toEqual([many, {}])
    skips += used
  }
  expect(skips).toBe(3)
  expect(await deployment.server.db.selectFrom('skips').select('skipCount').execute()).toEqual([{ skipCount: 3 }])
})
