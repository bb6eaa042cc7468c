import { routes } from '@gatehouse/wire'
import type { Browser, Page } from '@playwright/test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { TOTP } from 'totp-generator'
import { startPostgres } from '../packages/server/test/support/postgres-server.ts'
import { test as base, expect, type Gatehouse } from './gatehouse.ts'
import { linkIn, startMailServer } from './mail-server.ts'

// A user's account, from invitation to sign-out by an administrator, with real browsers, a real server and real email, on each database.

type Mail = Awaited<ReturnType<typeof startMailServer>>

const test = base.extend<{ engine: 'sqlite' | 'postgres'; mail: Mail }>({
  engine: ['sqlite', { option: true }],
  // Playwright requires the braces.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern
  mail: async ({}, use) => {
    const mail = await startMailServer()
    await use(mail)
    await mail.stop()
  },
  settings: async ({ engine, mail }, use) => {
    const settings = {
      GATEHOUSE_SECOND_FACTOR: 'skippable',
      GATEHOUSE_SMTP_URL: mail.url,
      GATEHOUSE_MAIL_FROM: 'Acme Monitoring <sign-in@acme.example>',
      // Each user has their own address, because the rate limits count per address.
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    }
    if (engine === 'sqlite') return use(settings)
    const server = await startPostgres()
    await server.createDatabase('gatehouse')
    await use({ ...settings, GATEHOUSE_DATABASE_URL: `${server.url}/gatehouse` })
    await server.stop()
  },
})

const admin = { username: 'admin@example.com', password: 'correct horse battery staple' }
const ada = 'ada@example.com'

/** An authenticator app that scans the screen. Computes codes with a different implementation from the server's. */
const createAuthenticator = () => {
  let secret = ''
  return {
    scan: async (page: Page) => {
      await expect(page.getByRole('img', { name: /QR code to scan/ })).toBeVisible()
      const { data, width, height } = PNG.sync.read(await page.screenshot({ fullPage: true }))
      const read = jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })
      const uri = new URL(read?.data ?? '')
      expect(uri.searchParams.get('issuer')).toBe('Acme Monitoring')
      secret = uri.searchParams.get('secret') ?? ''
    },
    code: async () => (await TOTP.generate(secret)).otp,
    /** The code of the next period. The current one has been used, and the server accepts the next one early. */
    nextCode: async () => (await TOTP.generate(secret, { timestamp: Date.now() + 30_000 })).otp,
    wrongCode: async () => {
      const near = await Promise.all(
        [-1, 0, 1, 2].map(async step => (await TOTP.generate(secret, { timestamp: Date.now() + step * 30_000 })).otp),
      )
      return ['123456', '234567', '345678', '456789', '567890'].find(code => !near.includes(code)) ?? '678901'
    },
  }
}

/** A user in their own browser. */
const openUser = async (browser: Browser, { url }: Gatehouse, address: string) => {
  const context = await browser.newContext({ baseURL: url, extraHTTPHeaders: { 'x-forwarded-for': address } })
  const page = await context.newPage()
  const noise: string[] = []
  page.on('pageerror', error => noise.push(error.message))
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const signIn = async (username: string, password: string) => {
    await page.goto('/')
    await page.getByLabel('Email').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button('Sign in').click()
  }
  const enterCode = async (code: string) => {
    await page.getByLabel('Verification Code').fill(code)
    await button('Verify').click()
  }
  /** Expects an error on the page. */
  const sees = (text: string) => expect(page.getByRole('alert').filter({ hasText: text }).first()).toBeVisible()
  const isIn = (username = ada) => expect(page.getByText(`Signed in as ${username}`)).toBeVisible()
  const signOut = async () => {
    await button('Sign out').click()
    // The account page contains the same label, so check the address.
    await expect(page).toHaveURL(`${url}/`)
    await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
  }
  /** Calls the server from the page, as a dashboard's script does. */
  const call = (path: string, body: unknown) =>
    page.evaluate(
      async ([path, body]) => {
        const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        return { status: answer.status, body: await answer.json() }
      },
      [path, JSON.stringify(body)] as const,
    )
  return { context, page, noise, button, sees, signIn, enterCode, isIn, signOut, call }
}
type User = Awaited<ReturnType<typeof openUser>>

/** Opens the link of the email and chooses a new password. */
const choosePassword = async ({ page, button }: User, link: string, password: string) => {
  // Leave the page first: opening the same address with another fragment would not load it again.
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  await page.getByLabel(/^New password(?!,)/).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await button('Change password').click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
}

const saveRecoveryCodes = async ({ page, button }: User) => {
  await expect(page).toHaveURL(/\/recovery-codes$/)
  await button('Show my recovery codes').click()
  const items = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allTextContents()
  await page.getByRole('link', { name: 'I’ve saved them' }).click()
  return codes
}

const enterRecoveryCode = async ({ page, button }: User, code = '') => {
  await button('Use a recovery code').click()
  await page.getByLabel('Recovery code').fill(code)
  await button('Verify').click()
}

const ask = async ({ page, button }: User, which: 'Send Password Reset Email' | 'Send One Time Link Email') => {
  await page.goto('/')
  await button('Forgot your password?').click()
  await page.getByLabel('Email').fill(ada)
  await button(which).click()
  await expect(page.getByText('Email sent')).toBeVisible()
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test.describe(`on ${engine}`, { tag: '@long' }, () => {
    test.use({ engine })

    test("a user's account, from invitation to sign-out by an administrator", async ({ browser, gatehouse, mail }) => {
      test.setTimeout(120_000)
      const root = await openUser(browser, gatehouse, '198.51.100.1')
      const user = await openUser(browser, gatehouse, '198.51.100.2')
      const { page, button } = user

      await test.step('the administrator sets up a second factor, which cannot be skipped', async () => {
        const app = createAuthenticator()
        await root.signIn(admin.username, admin.password)
        await app.scan(root.page)
        await expect(root.page.getByText('You can’t skip this step. Administrators need a second factor.')).toBeVisible()
        await expect(root.button('Skip factor authentication')).toHaveCount(0)
        await root.button('Next').click()
        await root.enterCode(await app.code())
        await saveRecoveryCodes(root)
        await root.isIn(admin.username)
        await mail.receive(admin.username, /^Second factor added/)
      })

      await test.step('the user is added and invited by email', async () => {
        const added = await root.call(routes.userAdd.path, {
          username: ada,
          authenticateduser: admin.username,
          timezone: 'Europe/Amsterdam',
        })
        expect(added).toMatchObject({ status: 200, body: { userIdent: ada, userTZLabel: 'Europe/Amsterdam' } })
        const invitation = await mail.receive(ada, /^Set up your account/)
        expect(invitation.from?.text).toContain('Acme Monitoring')
        await choosePassword(user, linkIn(invitation), 'her first long password')
        await mail.receive(ada, /^Password changed/)
      })

      await test.step('the user skips the second factor, and the administrator gets an email', async () => {
        await page.getByRole('link', { name: 'Sign in' }).click()
        await user.signIn(ada, 'her first long password')
        await button('Skip factor authentication').click()
        await user.isIn()
        const told = await mail.receive(admin.username, /^Second factor skipped/)
        expect(told.text).toContain(ada)
        await user.signOut()
      })

      const app = createAuthenticator()
      let recoveryCodes: string[] = []
      await test.step('the user scans the QR code and signs in with its code', async () => {
        await user.signIn(ada, 'her first long password')
        await app.scan(page)
        await button('Next').click()
        await user.enterCode(await app.code())
        recoveryCodes = await saveRecoveryCodes(user)
        await user.isIn()
        await mail.receive(ada, /^Second factor added/)
        await user.signOut()
      })

      await test.step('the user signs in with password and code', async () => {
        await user.signIn(ada, 'her first long password')
        await user.enterCode(await app.nextCode())
        await user.isIn()
        await user.signOut()
      })

      await test.step('a recovery code works once', async () => {
        await user.signIn(ada, 'her first long password')
        await enterRecoveryCode(user, recoveryCodes[0])
        await user.isIn()
        await mail.receive(ada, /^Recovery code used/)
        await user.signOut()
        await user.signIn(ada, 'her first long password')
        await enterRecoveryCode(user, recoveryCodes[0])
        await user.sees('Invalid code')
      })

      await test.step('five wrong codes lock the second factor, even for right codes, and the user gets an email', async () => {
        await user.signIn(ada, 'her first long password')
        for (let i = 2; i <= 5; i++) {
          const answered = page.waitForResponse(answer => answer.url().endsWith(routes.verifyOTP.path))
          await user.enterCode(await app.wrongCode())
          await answered
          await user.sees('Invalid code')
          await expect(button('Verify')).toBeEnabled()
        }
        await enterRecoveryCode(user, recoveryCodes[1])
        await user.sees('Invalid code')
        await mail.receive(ada, /^Sign-in stopped: wrong codes/)
      })

      await test.step('factor reset: the emailed page shows the new QR code, and its code works on the waiting page', async () => {
        await user.signIn(ada, 'her first long password')
        await button('Reset two factor authentication').click()
        await button('Send reset instruction').click()
        await expect(page.getByText(/Follow the instructions in the email/)).toBeVisible()
        const link = linkIn(await mail.receive(ada, /^Replace your second factor/))
        const tab = await user.context.newPage()
        await tab.goto(link)
        await tab.getByRole('button', { name: 'Show the new QR code' }).click()
        await app.scan(tab)
        await tab.goto('about:blank')
        await tab.goto(link)
        await expect(tab.getByRole('heading', { name: 'This link has already been used' })).toBeVisible()
        await tab.close()
        await user.enterCode(await app.code())
        recoveryCodes = await saveRecoveryCodes(user)
        await user.isIn()
        await mail.receive(ada, /^Second factor replaced/)
        expect((await mail.receive(admin.username, /^Second factor replaced/)).text).toContain(ada)
        await user.signOut()
      })

      await test.step('password reset: every session ends, and neither the link nor the old password works again', async () => {
        const elsewhere = await openUser(browser, gatehouse, '198.51.100.3')
        await elsewhere.signIn(ada, 'her first long password')
        await elsewhere.enterCode(await app.nextCode())
        await elsewhere.isIn()
        await ask(user, 'Send Password Reset Email')
        const link = linkIn(await mail.receive(ada, /^Reset your password/))
        await choosePassword(user, link, 'her second long password')
        await elsewhere.page.reload()
        await expect(elsewhere.page.getByLabel('Email', { exact: true })).toBeVisible()
        await elsewhere.context.close()
        await mail.receive(ada, /^Password changed/)
        await page.goto('about:blank')
        await page.goto(link)
        await expect(page.getByRole('heading', { name: 'This link has already been used' })).toBeVisible()
        await user.signIn(ada, 'her first long password')
        await expect(page.getByText('You have failed to login. Make sure that your email and password are correct.').first()).toBeVisible()
      })

      await test.step('one-time link: needs the second factor but no password', async () => {
        await ask(user, 'Send One Time Link Email')
        const link = linkIn(await mail.receive(ada, /^Your one-time link/))
        await page.goto('about:blank')
        await page.goto(link)
        await expect(page.getByRole('heading', { name: 'Sign in as a•••@example.com' })).toBeVisible()
        await button('Sign in').click()
        await expect(page.getByLabel('Verification Code')).toBeFocused()
        await enterRecoveryCode(user, recoveryCodes[0])
        await user.isIn()
        await mail.receive(ada, /^Recovery code used/)
        await user.signOut()
      })

      await test.step('forced reset: the sign-in page explains it, and a new password ends it', async () => {
        await gatehouse.cli('user', 'force-reset', ada)
        await user.signIn(ada, 'her second long password')
        await expect(page.getByText('Your password has been reset by an administrator. Please reset your password.').first()).toBeVisible()
        await ask(user, 'Send Password Reset Email')
        await choosePassword(user, linkIn(await mail.receive(ada, /^Reset your password/)), 'her third long password')
        await user.signIn(ada, 'her third long password')
        await enterRecoveryCode(user, recoveryCodes[1])
        await user.isIn()
      })

      await test.step('an administrator signs the user out', async () => {
        const me = await user.call(routes.logoutByUserId.path, 'anybody')
        expect(me.status).toBe(403)
        const found = await gatehouse.userId(ada)
        expect(await root.call(routes.logoutByUserId.path, found)).toEqual({ status: 200, body: true })
        await page.reload()
        await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
      })

      expect(root.noise).toEqual([])
      expect(user.noise).toEqual([])
    })
  })
}
