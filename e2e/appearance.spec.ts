import type { Page } from '@playwright/test'
import { parts } from '../packages/sign-in/src/appearance/parts.ts'
import { contrast } from '../packages/wire/src/accent.ts'
import { area, reach, type Stage } from './area.ts'
import { axeOn, wcag } from './axe.ts'
import { hex, primary } from './colors.ts'
import { lostAtZoom, lostInForcedColors } from './reading-modes.ts'
import { expect, test } from './wire.ts'
import type { WireServer } from './wire-server.ts'

// The options for the look of the widget, on a page of another product.

const at = '/look/index.html'

const slots = `{
  header: Object.assign(document.createElement('p'), { textContent: 'Maintenance tonight' }),
  aboveForm: slot => slot.append('Use your work account.'),
  belowForm: slot => slot.append('By signing in you accept the terms.'),
  footer: (slot, page) => slot.append('You are at ' + page),
}`

type Theme = 'light' | 'dark'

const serve = (wire: WireServer, options: string, css = '', scheme = 'light dark', forced?: Theme) => {
  wire.serve('/look/host.css', `html { color-scheme: ${scheme} } body { margin: 0 } main { background: light-dark(white, black) } ${css}`)
  wire.serve('/look/start.js', `Gatehouse.mountSignIn('#root', ${options})`)
  wire.serve(
    at,
    `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="host.css">
     <link rel="stylesheet" href="/page/gatehouse-sign-in.css"><main id="root"${forced ? ` data-gatehouse-theme="${forced}"` : ''}></main>
     <script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script></html>`,
  )
}

const indexes = new Map<string, number>(parts.map((name, index) => [name, index]))

const part = (page: Page, name: string) => page.locator(`[data-part="${name}"]`).first()

test('the card keeps its background on a phone, on a host page that is always light', async ({ page, wire }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  serve(wire, '{}', 'main { background: white !important }', 'light')
  await page.goto(at)
  await expect(area(page).signIn).toBeVisible()
  const text = await page
    .locator('label')
    .first()
    .evaluate(label => getComputedStyle(label).color)
  const card = await part(page, 'card').evaluate(element => getComputedStyle(element).backgroundColor)
  expect(contrast(hex(text), hex(card))).toBeGreaterThan(4.5)
})

test('a host styles every part without !important, and ordinary rules of the page change none', async ({ page, wire }) => {
  const rules = parts.map((name, index) => `[data-part="${name}"] { outline: ${index + 1}px solid rgb(${index}, 2, 3); }`).join('\n')
  const ordinary = '#root button, #root a:hover, main input, div, p { outline: 99px solid red; min-height: 99px }'
  // The host's style sheet comes before the widget's, but its rules inside `[data-gatehouse]:not(#_#_#_#_)` still win.
  serve(
    wire,
    `{ slots: ${slots}, heading: { title: 'Welcome', text: 'Hello' } }`,
    `${ordinary}\n[data-gatehouse]:not(#_#_#_#_) { outline: 1px solid rgb(0, 2, 3); ${rules} }`,
  )
  await page.goto(at)
  await area(page).signIn.click()
  await expect(part(page, 'field-error')).toBeVisible()
  const seen = await page
    .locator('[data-part]')
    .evaluateAll(elements => elements.map(element => [element.getAttribute('data-part'), getComputedStyle(element).outlineColor] as const))
  expect(seen.length).toBeGreaterThan(20)
  for (const [name, color] of seen) {
    expect([name, color]).toEqual([name, `rgb(${indexes.get(name ?? '')}, 2, 3)`])
  }
  await area(page).signIn.hover()
  await expect(area(page).signIn).toHaveCSS('min-height', '44px')
})

test('the theme option overrides the theme of the system, and one that the host page forces', { tag: '@long' }, async ({ page, wire }) => {
  for (const theme of ['light', 'dark'] as const) {
    for (const system of ['light', 'dark'] as const) {
      for (const forced of [undefined, 'light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: system, reducedMotion: 'reduce' })
        serve(wire, `{ theme: '${theme}' }`, '', 'light dark', forced)
        await page.goto(at)
        await expect(area(page).signIn).toHaveCSS('background-color', primary[theme]['primary button'].background)
        await expect(part(page, 'root')).toHaveCSS('color', primary[theme].text.color)
        await expect(part(page, 'root')).toHaveCSS('color-scheme', theme)
      }
    }
  }
})

test('the compact density makes the form shorter, and keeps the height of controls on touch screens', { tag: '@long' }, async ({
  page,
  wire,
  browser,
}) => {
  const height = async (options: string, page: Page) => {
    serve(wire, options)
    await page.goto(new URL(at, wire.url).href)
    const boxes = [area(page).email, area(page).signIn, part(page, 'card')].map(async one =>
      Math.round((await one.boundingBox())?.height ?? 0),
    )
    return Promise.all(boxes)
  }
  const [field, button, card = 0] = await height('{}', page)
  const [compactField, compactButton, compactCard = 0] = await height("{ density: 'compact' }", page)
  expect([field, button, compactField, compactButton]).toEqual([44, 44, 36, 36])
  expect(compactCard).toBeLessThan(card - 50)
  const phone = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } })
  expect((await height("{ density: 'compact' }", await phone.newPage())).slice(0, 2)).toEqual([44, 44])
  await phone.close()
})

test('slots follow the page that the widget shows', async ({ page, wire }) => {
  serve(wire, `{ slots: ${slots} }`)
  await page.goto(at)
  await expect(part(page, 'footer')).toHaveText('You are at login')
  await area(page).forgot.click()
  await expect(part(page, 'footer')).toHaveText('You are at forgot-password')
  await expect(part(page, 'header')).toHaveText('Maintenance tonight')
  await expect(part(page, 'above-form')).toHaveCount(0)
  await area(page).back.click()
  await expect(part(page, 'below-form')).toHaveText('By signing in you accept the terms.')
})

const linked = `{
  header: slot => slot.insertAdjacentHTML('beforeend', '<a href="/help">Help</a>'),
  aboveForm: slot => slot.insertAdjacentHTML('beforeend', '<p>Use your <a href="/help">work account</a>.</p>'),
  belowForm: slot => slot.insertAdjacentHTML('beforeend', '<p>You accept the <a href="/help">terms</a>.</p>'),
  footer: slot => slot.insertAdjacentHTML('beforeend', '<a href="/help">Help</a> <a id="own" href="/help">Call 1234</a>'),
}`

for (const theme of ['light', 'dark'] as const) {
  test(`links in slots have the color and the focus ring of the widget's links in the ${theme} theme`, async ({ page, wire }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // The host page's rule has zero specificity and comes before the widget's style sheet. It must still win over the widget's link styles.
    serve(wire, `{ slots: ${linked} }`, ':where(#own) { color: rgb(1, 2, 3); outline: 5px dotted rgb(4, 5, 6) }')
    await page.goto(at)
    const own = await area(page).forgot.evaluate(link => {
      link.focus()
      const { color, outlineColor, outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(link)
      return { color, ring: [outlineColor, outlineStyle, outlineWidth, outlineOffset] }
    })
    await page.keyboard.press('Shift+Tab')
    for (const name of ['header', 'above-form', 'below-form', 'footer']) {
      const link = part(page, name).getByRole('link').first()
      await expect(link).toHaveCSS('color', own.color)
      const background = await link.evaluate(element => {
        for (let above: Element | null = element; above; above = above.parentElement) {
          const { backgroundColor } = getComputedStyle(above)
          if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
        }
        return 'rgb(255, 255, 255)'
      })
      expect(contrast(hex(own.color), hex(background)), `${name} on ${background}`).toBeGreaterThanOrEqual(4.5)
      await link.focus()
      const ring = await link.evaluate(element => {
        const { outlineColor, outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
        return [outlineColor, outlineStyle, outlineWidth, outlineOffset]
      })
      expect(ring, name).toEqual(own.ring)
      // Links in a sentence stay underlined, so that color is not the only difference.
      await expect(link).toHaveCSS('text-decoration-line', 'underline')
    }
    await page.locator('#own').focus()
    await expect(page.locator('#own')).toHaveCSS('color', 'rgb(1, 2, 3)')
    await expect(page.locator('#own')).toHaveCSS('outline', 'rgb(4, 5, 6) dotted 5px')
  })
}

const pages = {
  login: reach.login,
  verification: reach.verifyFactor,
  'set-up': reach.createFactor,
  'forgot password': reach.forgotPassword,
}

test.describe('@long', () => {
  for (const density of ['comfortable', 'compact']) {
    for (const theme of ['light', 'dark']) {
      test(`${density}, ${theme}, every slot: is accessible on a phone, in forced colors and at 400 % zoom`, async ({ page, wire }) => {
        test.setTimeout(90_000)
        serve(
          wire,
          `{ theme: '${theme}', density: '${density}', slots: ${linked}, heading: { title: 'Welcome to the product', text: 'Hello' } }`,
          '',
          theme,
        )
        for (const [name, to] of Object.entries(pages)) {
          const stage: Stage = { page, wire, at }
          await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' })
          await page.setViewportSize({ width: 360, height: 740 })
          await to(stage)
          const { violations } = await (await axeOn(page)).withTags(wcag).analyze()
          expect(
            violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)]),
            name,
          ).toEqual([])
          await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
          expect(await lostInForcedColors(page), name).toEqual([])
          await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' })
          await page.setViewportSize({ width: 320, height: 256 })
          expect(await lostAtZoom(page), name).toEqual([])
        }
      })
    }
  }
})
