import { freePort } from '../packages/server/test/support/free-port.ts'
import { colorsOf, primary } from './colors.ts'
import { examples, startExample } from './examples.ts'
import { expect, signInPage, test } from './gatehouse.ts'

// Each application in the folder examples, built with the packed widget, on a different origin from a real server. The console stays empty.

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
  settings: async ({}, use) => use({ GATEHOUSE_ORIGINS: `http://localhost:${await freePort()}` }),
})

test.describe('@long', () => {
  test.describe.configure({ timeout: 400_000 })

  for (const example of examples) {
    test(`the example ${example.name} signs in to a real server, in its colors and under a strict policy`, async ({ page, gatehouse }) => {
      const origin = gatehouse.env.GATEHOUSE_ORIGINS ?? ''
      const app = await startExample(example, origin, gatehouse.url)
      try {
        expect(app.styles.match(/light-dark\(|var\(--lightningcss-/g)).toBeNull()
        const answer = await page.goto(`${origin}${example.path ?? '/'}`)
        expect(answer?.headers()['content-security-policy']).toMatch(/script-src 'self'(;| 'nonce-)/)
        if (example.server) expect(await answer?.text(), 'the form in the page that the server rendered').toContain('Forgot your password?')
        await expect(page.getByText('Trouble? Call 1234.')).toBeVisible()
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          const { 'primary button': button, text, 'provider button': provider } = await colorsOf(page)
          expect(button).toMatchObject({ background: 'rgb(11, 107, 93)' })
          expect({ text, 'provider button': provider }).toMatchObject({
            text: primary[theme].text,
            'provider button': primary[theme]['provider button'],
          })
        }
        await expect(signInPage(page).button).toHaveCSS('border-radius', '999px')
        await expect(page.locator('[data-gatehouse] style, [data-gatehouse] [style]')).toHaveCount(0)
        await signInPage(page).signIn()
        await expect(page).toHaveURL(`${gatehouse.url}/account`)
      } finally {
        await app.stop()
      }
    })
  }
})
