import { plainPages as at } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { codeAt } from './authenticator.ts'
import { ada, type Browser, isSignedIn, startServer } from './harness.ts'

const skippable = { env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } }

/** Goes where an answer leads, to the end; the addresses on the way. */
const follow = async (browser: Browser, answer: Awaited<ReturnType<Browser['submit']>>) => {
  const way: string[] = []
  let last = answer
  while (last.statusCode === 303) {
    way.push(String(last.headers.location))
    last = await browser.get(String(last.headers.location), { accept: 'text/html' })
  }
  return { way, last, body: last.body }
}

const secretIn = (body: string) => (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(body)?.[1] ?? '').replaceAll(' ', '')
const wrong = { ...ada, password: 'not the password at all' }

test('PW-10, MF-07: a whole sign-in by forms: password, set-up by QR, code; and no answer holds the password', async () => {
  const server = await startServer(skippable)
  await server.addUser()
  const browser = server.openBrowser()
  const [start, failed] = [await browser.get('/'), await follow(browser, await browser.submit(at.login, wrong))]
  expect(start.body).toContain('name="password"')
  expect([failed.way, failed.body]).toEqual([['/'], expect.stringContaining('You have failed to login.')])
  expect(failed.body).toContain(`value="${ada.username}"`)
  // A reload sends nothing twice, and says nothing twice.
  expect((await browser.get('/')).body).not.toContain('You have failed to login.')

  const setUp = await follow(browser, await browser.submit(at.login, ada))
  expect([setUp.way, setUp.body]).toEqual([[at.secondFactor], expect.stringContaining('Scan the QR code')])
  const secret = secretIn(setUp.body)
  // The same for the same browser, as often as it looks.
  expect(secretIn((await browser.get(at.secondFactor)).body)).toBe(secret)
  expect((await server.openBrowser().get(at.secondFactor)).body).toContain('This took too long')
  const first = await browser.get(at.firstCode)
  expect(first.body).toContain('name="otp"')
  const none = await follow(browser, await browser.submit(at.firstCode, { otp: 'abc' }))
  expect(none.body).toContain('Enter the six digits of the code.')
  const entered = await follow(
    browser,
    await browser.submit(at.firstCode, { otp: String(await codeAt(secret, server.clock.at)).padStart(6, '0') }),
  )
  expect(entered.way).toEqual([expect.stringMatching(/^\/auth\/page\/plow\//), '/recovery-codes'])
  expect(await isSignedIn(browser)).toBe(true)
  // It works once: the ticket went with it.
  expect((await browser.get(at.secondFactor)).body).toContain('This took too long')
  for (const { body, headers } of [start, failed.last, setUp.last, first, none.last, entered.last])
    expect(body + JSON.stringify(headers)).not.toMatch(/correct horse|not the password/)
  expect(server.logged.join()).not.toMatch(/correct horse|not the password/)
})
