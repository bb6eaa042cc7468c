import type { Browser, Page } from '@playwright/test'
import { admin, expect, test } from './gatehouse.ts'
import { textsIn } from './texts.ts'

/** The chunks of texts that a page requests from now on: part and language, such as `account-de`. */
const textsOf = (page: Page) => {
  const chunks = new Set<string>()
  page.on('request', request => {
    const [, chunk] = /\/assets\/texts-(.+)-[\w-]{8}\.js$/.exec(new URL(request.url()).pathname) ?? []
    if (chunk) chunks.add(chunk)
  })
  return () => [...chunks].sort()
}

for (const { tag, direction, suite } of [
  { tag: 'de', direction: 'ltr', suite: ['@long'] },
  { tag: 'ar', direction: 'rtl', suite: [] },
]) {
  test(`hydrates pages in the language ${tag}, and loads no other language`, { tag: suite }, async ({ page, gatehouse }) => {
    await page.goto(gatehouse.url)
    const texts = textsOf(page)
    await page.getByRole('link', { name: 'Language: English' }).click()
    await page.locator(`button[name=language][value=${tag}]`).click()
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await page.locator('input[name=username]').fill(admin.username)
    await page.locator('input[name=password]').fill(admin.password)
    await page.locator('main form button[type=submit]:not([form])').click()
    await expect(page).toHaveURL(/\/account$/)
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await expect(page.locator('html')).toHaveCSS('direction', direction)
    // Before hydration, action buttons are disabled. The console would report a difference from the server's markup.
    await expect(page.locator('section button[aria-disabled]')).toHaveCount(0)
    await expect(page.getByText('Signed in as')).toHaveCount(0)
    expect(texts()).toEqual([`account-${tag}`, `portal-${tag}`, `signIn-${tag}`])

    // Signs out, but keeps the language cookie.
    await page.context().clearCookies({ name: /^(?!.*language)/ })
    await page.goto(`${gatehouse.url}/forgot-password`)
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await expect.poll(() => page.evaluate(() => Object.keys(document.querySelector('form') ?? {}).join())).toContain('__reactProps')
    expect(texts()).toEqual([`account-${tag}`, `portal-${tag}`, `signIn-${tag}`])
  })
}

/** Opens the sign-in page in a browser with a language. Returns its texts, and each text that its script has written. */
const openIn = async (browser: Browser, tag: string, javaScriptEnabled: boolean, url: string) => {
  const context = await browser.newContext({ locale: tag, javaScriptEnabled })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const written: string[] = []
    Object.assign(window, { written })
    new MutationObserver(records => {
      for (const { type, target, addedNodes } of records)
        for (const node of type === 'childList' ? addedNodes : [target]) written.push(node.textContent ?? '')
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.goto(url)
  const html = page.locator('html')
  const shown = {
    lang: await html.getAttribute('lang'),
    dir: await html.evaluate(element => getComputedStyle(element).direction),
    labels: await page.locator('main label').allTextContents(),
    button: await page.locator('main form button[type=submit]:not([form])').textContent(),
  }
  if (javaScriptEnabled)
    await expect.poll(() => page.evaluate(() => Object.keys(document.querySelector('form') ?? {}).join())).toContain('__reactProps')
  // Without scripts, read the HTML that the browser shows. With scripts, the observer has recorded that HTML and each later text.
  const written = javaScriptEnabled ? ((await page.evaluate('written')) as string[]) : [await page.locator('body').innerText()]
  await context.close()
  return { shown, written: written.join('\n') }
}

const tags = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'uk', 'ar']

test('the first HTML of each language has its texts and its direction', async ({ request, gatehouse }) => {
  for (const tag of tags) {
    const html = await (await request.get(gatehouse.url, { headers: { 'accept-language': tag, accept: 'text/html' } })).text()
    expect(html).toContain(tag === 'ar' ? '<html lang="ar" dir="rtl">' : `<html lang="${tag}">`)
    for (const path of ['email', 'password', 'forgotPassword', 'signIn']) expect(html).toContain(textsIn(tag)(`signIn.login.${path}`))
    if (tag !== 'en') expect(html).not.toMatch(/Sign in|Forgot your password/)
  }
})

test('a first visit shows no English in another language, with and without a script', { tag: '@long' }, async ({ browser, gatehouse }) => {
  test.setTimeout(120_000)
  for (const tag of tags) {
    const text = textsIn(tag)
    for (const script of [true, false]) {
      const { shown, written } = await openIn(browser, tag, script, gatehouse.url)
      expect(shown).toEqual({
        lang: tag,
        dir: tag === 'ar' ? 'rtl' : 'ltr',
        labels: [text('signIn.login.email'), text('signIn.login.password')],
        button: text('signIn.login.signIn'),
      })
      expect(written).toContain(text('signIn.login.forgotPassword'))
      if (tag !== 'en') expect(written).not.toMatch(/Sign in|Forgot your password/)
    }
  }
})

test.describe('in a Japanese browser', () => {
  test.use({ locale: 'ja' })
  test('uses Japanese glyphs, and breaks no line within a phrase', async ({ page, gatehouse }) => {
    await page.goto(gatehouse.url)
    const label = page.locator('main form label').first()
    await expect(label).toHaveCSS('-webkit-locale', '"ja"')
    await expect(label).toHaveCSS('word-break', 'auto-phrase')
  })
})
