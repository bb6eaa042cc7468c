import { plainPages as at, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { type Browser, failed, skippable, startWithAda } from '../credentials/mailed-recovery.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, isSignedIn } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startWithAda>>

const linkPattern = /http:\/\/localhost:8080\/one-time-link#([\w-]+)\.([\w-]+)/
const codePattern = /^([0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4})$/m

/** Asks for a link as the widget does: the waiting tab gets its number first. */
const ask = async (browser: Browser, email = ada.username) => {
  const { number } = await browser.call(routes.magiclinkWait, {})
  const redirect = { tag: 'RedirectDashboard' }
  const answer = await browser.send('POST', routes.magiclinkSend.path, [{ email, redirect }])
  expect(answer.body, 'the specified answer').toBe('{"tag":"Ok"}')
  return number
}

const readMail = async (server: Server) => {
  const { text = '' } = (await server.deliver()).find(mail => mail.text.includes('/one-time-link#')) ?? {}
  const [, selector = '', token = ''] = linkPattern.exec(text) ?? []
  return { text, claim: { selector, token }, code: codePattern.exec(text)?.[1] }
}

/** A computer requests a link and waits. */
const startWaiting = async (options?: Parameters<typeof startWithAda>[0]) => {
  const server = await startWithAda(options)
  const computer = server.openBrowser()
  const number = await ask(computer)
  const { code = '', ...mail } = await readMail(server)
  return { server, computer, phone: server.openBrowser(), number, code, ...mail }
}

const enter = (browser: Browser, code: string) => browser.call(routes.magiclinkCode, { code })
const look = (browser: Browser, claim: { selector: string; token: string }) =>
  browser.call(routes.mailLinkLook, { kind: 'OneTimeLink', ...claim })
const otherNumbers = (number: string) => ['11', '22', '33', '44'].filter(one => one !== number)

const finish = async (browser: Browser, outcome: Awaited<ReturnType<typeof enter>>) => {
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  await browser.call(routes.loginWithToken, { authTokenSelector, authTokenToken })
  return isSignedIn(browser)
}

test('the computer waits, and the user opens the link on a phone: the number shown in the tab signs the phone in', async () => {
  const { computer, phone, number, claim, code } = await startWaiting()
  expect(number).toMatch(/^[1-9][0-9]$/)
  expect(await look(phone, claim)).toEqual({ state: 'Good', email: 'a•••@example.com', asksNumber: true })
  expect(await finish(phone, await phone.call(routes.magiclinkRedeem, { ...claim, number }))).toBe(true)
  expect(await isSignedIn(computer)).toBe(false)
  // Using the link voids the code.
  expect(await enter(computer, code)).toEqual(failed)
})

test('the computer waits, and the user reads the email on a phone: its code signs the computer in, once', async () => {
  const { computer, phone, claim, code, number } = await startWaiting()
  const arabic = code.replace(/[2-9]/g, digit => String.fromCodePoint(0x660 + Number(digit)))
  const typed = ` ${arabic.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
  expect(await finish(computer, await enter(computer, typed))).toBe(true)
  expect(await isSignedIn(phone)).toBe(false)
  expect(await enter(computer, code)).toEqual(failed)
  // Using the code voids the link.
  expect(await look(phone, claim)).toEqual({ state: 'Used' })
  expect(await phone.call(routes.magiclinkRedeem, { ...claim, number })).toEqual(failed)
})

test('the browser that asked opens the link without the number', async () => {
  const { computer, claim } = await startWaiting()
  expect(await look(computer, claim)).toEqual({ state: 'Good', email: 'a•••@example.com' })
  expect(await finish(computer, await computer.call(routes.magiclinkRedeem, claim))).toBe(true)
})

test('a phished link signs no browser in: the attacker requests it, the victim opens it, and three wrong numbers void link and code', async () => {
  const { computer: attacker, phone: victim, claim, code, number } = await startWaiting()
  expect(await victim.call(routes.magiclinkRedeem, claim), 'without a number').toEqual(failed)
  const [first = '', second = '', third = ''] = otherNumbers(number)
  for (const wrong of [first, second]) {
    expect(await victim.call(routes.magiclinkRedeem, { ...claim, number: wrong })).toEqual(failed)
    expect((await look(victim, claim)).state).toBe('Good')
  }
  expect(await victim.call(routes.magiclinkRedeem, { ...claim, number: third })).toEqual(failed)
  expect(await look(victim, claim)).toEqual({ state: 'Expired' })
  expect(await victim.call(routes.magiclinkRedeem, { ...claim, number }), 'the right one is too late').toEqual(failed)
  expect(await enter(attacker, code), 'the code has ended too').toEqual(failed)
  expect([await isSignedIn(attacker), await isSignedIn(victim)]).toEqual([false, false])
})

test('checks only three of 89 wrong numbers that arrive in parallel', async () => {
  const { server, claim, number } = await startWaiting()
  const numbers = Array.from({ length: 90 }, (_, i) => String(i + 10)).filter(one => one !== number)
  const answers = await Promise.all(numbers.map(one => server.openBrowser().call(routes.magiclinkRedeem, { ...claim, number: one })))
  expect(answers.every(answer => answer.tag === failed.tag)).toBe(true)
  const [row] = await server.db.selectFrom('mail_links').selectAll().execute()
  expect(row?.mailLinkNumberAttempts).toBe(3)
})

test('EM-04: viewing the link in any browser uses nothing up and counts nothing', async () => {
  const { server, computer, phone, claim, code } = await startWaiting()
  for (const browser of [phone, computer, server.openBrowser()])
    for (let i = 0; i < 5; i++) expect((await look(browser, claim)).state).toBe('Good')
  expect(await finish(computer, await enter(computer, code))).toBe(true)
})

test('an attacker with only the mailbox: the code works in no other browser, not even in one that waits for another link', async () => {
  const { server, phone, computer, code } = await startWaiting()
  expect(await enter(phone, code)).toEqual(failed)
  await server.addUser({ username: 'grace@example.com', password: 'another horse battery' })
  await ask(phone, 'grace@example.com')
  await server.deliver()
  expect(await enter(phone, code)).toEqual(failed)
  // The owner's attempts are not used up.
  expect(await finish(computer, await enter(computer, code))).toBe(true)
})

test('an attacker with only the cookie can try five codes, even in parallel, and the link stays valid', async () => {
  const { server, computer, claim, code } = await startWaiting()
  const wrong = await Promise.all(Array.from({ length: 20 }, (_, i) => enter(computer, `AAAA-AA${String(i).padStart(2, '0')}`)))
  expect(wrong).toEqual(Array(20).fill(failed))
  const [row] = await server.db.selectFrom('mail_links').selectAll().execute()
  expect(row?.mailLinkCodeAttempts).toBe(5)
  expect(await enter(computer, code), 'the right code is too late').toEqual(failed)
  expect((await computer.call(routes.magiclinkRedeem, claim)).tag).toBe('AuthSuccessful')
})

test('EM-03: the code expires with its link', async () => {
  const { server, computer, code } = await startWaiting()
  server.clock.advance(minutes(10))
  expect(await enter(computer, code)).toEqual(failed)
})

test('EM-07: with two valid emails, the older code works in the browser that asked for both, and using it voids the newer', async () => {
  const { server, computer, code } = await startWaiting()
  server.clock.advance(1)
  const number = await ask(computer)
  const newer = await readMail(server)
  expect(newer.code).not.toBe(code)
  expect(await ask(computer), 'the tab keeps its number').toBe(number)
  expect(await finish(computer, await enter(computer, code))).toBe(true)
  expect(await enter(computer, newer.code ?? ''), 'one ends the other').toEqual(failed)
})

test('EM-01: the database stores the code only as a keyed hash', async () => {
  const { server, code } = await startWaiting()
  const [row] = await server.db.selectFrom('mail_links').selectAll().execute()
  expect(row?.mailLinkCode).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(row)).not.toContain(code.replace('-', ''))
  expect(JSON.stringify(row)).not.toContain(code)
})

test('EM-09: a code leads to the second factor, not to a session', async () => {
  const server = await startWithAda(skippable)
  await enroll(server.openBrowser(), server.clock)
  const computer = server.openBrowser()
  await ask(computer)
  const { code = '' } = await readMail(server)
  expect(await enter(computer, code)).toEqual({ tag: 'AuthRequires2FA' })
  expect(await isSignedIn(computer)).toBe(false)
})

test('administrators get no code, and their link asks for the number as well', async () => {
  const { server, phone, code, text, claim, number } = await startWaiting({ env: { GATEHOUSE_ADMINS: ada.username } })
  expect([code, text.includes('code in the tab')]).toEqual(['', false])
  expect((await look(phone, claim)).asksNumber).toBe(true)
  expect((await phone.call(routes.magiclinkRedeem, { ...claim, number })).tag).not.toBe(failed.tag)
  expect(await server.db.selectFrom('mail_links').select('mailLinkCode').execute()).toEqual([{ mailLinkCode: null }])
})

test('the email names the requesting browser and its address, and warns against passing the code on', async () => {
  const { text } = await startWaiting()
  expect(text).toMatch(/^Asked from: .+$/m)
  expect(text).toMatch(/^IP address: .+$/m)
  expect(text).toContain('Never pass the code on')
})

test('a client that does not make the waiting call gets an email without a code, and its link asks for no number', async () => {
  const server = await startWithAda()
  const redirect = { tag: 'RedirectDashboard' }
  await server.openBrowser().call(routes.magiclinkSend, [{ email: ada.username, redirect }])
  const { claim, code } = await readMail(server)
  expect(code).toBeUndefined()
  expect(await look(server.openBrowser(), claim)).toEqual({ state: 'Good', email: 'a•••@example.com' })
})

test('TH-12: known and unknown addresses get the same status, header names, body, mail length and audit rows while the tab waits', async () => {
  const walk = async (email: string) => {
    const server = await startWithAda()
    // The mail contains the client's address. Use the same one in both runs, so that the mails have the same length.
    const browser = server.openBrowser({ address: '192.0.2.1' })
    const answers = [
      await browser.send('POST', routes.magiclinkWait.path, {}),
      await browser.send('POST', routes.magiclinkSend.path, [{ email, redirect: { tag: 'RedirectDashboard' } }]),
    ]
    const queued = await server.db.selectFrom('outbox').select('mailContent').execute()
    await server.deliver()
    // Six attempts: one more than the server checks for a real code.
    for (let i = 0; i < 6; i++) answers.push(await browser.send('POST', routes.magiclinkCode.path, { code: 'AAAA-AAAA' }))
    const rows = await server.db.selectFrom('audit').select(['auditEvent', 'auditResult']).execute()
    return {
      queued: queued.map(row => row.mailContent.length),
      rows,
      answers: answers.map(({ statusCode, headers, body }) => ({
        statusCode,
        names: Object.keys(headers).sort(),
        body: body.replace(/"number":"\d\d"/, '"number":"42"'),
      })),
    }
  }
  const known = await walk('ada@example.com')
  expect(await walk('eve@example.com')).toEqual(known)
  expect(known.rows.filter(row => row.auditResult === 'wrong-code')).toHaveLength(6)
})

test('works without JavaScript: the page shows the number and takes the code, even after a wrong code', async () => {
  const server = await startWithAda()
  const browser = server.openBrowser()
  const page = async () => (await browser.get(at.forgotPassword, { accept: 'text/html' })).body
  const numberIn = (body: string) => /<p class="[^"]*digits[^"]*">(\d\d)<\/p>/.exec(body)?.[1]
  expect((await browser.submit(at.forgotPassword, { username: ada.username, 'one-time-link': 'yes' })).statusCode).toBe(303)
  const waiting = await page()
  const number = numberIn(waiting)
  expect(number).toMatch(/^\d\d$/)
  expect(waiting).toContain('name="mail-code"')
  const { code = '', claim } = await readMail(server)
  await browser.submit(at.forgotPassword, { 'mail-code': 'AAAA-AAAA' })
  const refused = await page()
  expect([numberIn(refused), refused.includes('That code didn’t work'), refused.includes('<title>Error: ')]).toEqual([number, true, true])

  // Another browser, also without JavaScript.
  const phone = server.openBrowser()
  await phone.submit('/one-time-link', { link: `http://localhost:8080/one-time-link#${claim.selector}.${claim.token}` })
  const phonePage = async () => (await phone.get('/one-time-link', { accept: 'text/html' })).body
  expect(await phonePage()).toContain('name="number"')
  await phone.submit('/one-time-link', { number: otherNumbers(number ?? '')[0] ?? '' })
  expect(await phonePage()).toContain('That number isn’t right')

  const entered = await browser.submit(at.forgotPassword, { 'mail-code': code })
  expect(String(entered.headers.location)).toMatch(/^\/auth\/page\/plow\//)
  await browser.get(String(entered.headers.location), { accept: 'text/html' })
  expect(await isSignedIn(browser)).toBe(true)
})
