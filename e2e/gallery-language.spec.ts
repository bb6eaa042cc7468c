import type { Page } from '@playwright/test'
import { pseudoTag } from '../packages/language/src/pseudo.ts'
import { expect, removeMails, scenesIn, test } from './gallery.ts'
import { clippedTexts, lostAtZoom } from './reading-modes.ts'

test.describe.configure({ timeout: 300_000 })

/** There are too many scenes for one test. Each test takes a part of them. */
const shares = 8

/** Scenes with single components, with texts that the server writes, or with English emails. No translation applies to them. */
const notTranslated = /^(parts|toasts|mailbox|pages-of-a-proxy|pages-of-the-portal-notice)/

/** Names that users and operators chose, and free texts from servers. No language translates them. */
const data = [
  'Gatehouse',
  'Sign in to Acme Monitoring',
  'Sign in to Acme',
  'Acme Monitoring',
  'to continue to',
  'Need help? Call',
  'Old phone in the drawer',
  'Nightly backup',
  'Exporter',
  'iCloud Keychain',
  'YubiKey',
  'Pixel',
  'oncall',
  'operators',
  'the provider did not answer',
  'The server could not be reached: connection refused',
  'Google didn’t respond a minute ago',
  // The toast library's name for its timer, which is hidden from screen readers.
  'notification timer',
]

/** Addresses, time zones, recovery codes, and values in texts, which are enclosed in Unicode direction isolates. */
const values = [
  /\u2068.*?\u2069/gsu,
  /\S+@\S+|https?:\/\/\S+|\b[\w-]+(\.[\w-]+)+\b|(?<!\w)\/[\w./*-]+/g,
  /^(?:UTC|[A-Z][A-Za-z]+\/[\w /-]+)$/g,
  /\b(?:[a-z\d]{4}-){3}[a-z\d]{4}\b/g,
]

/** Texts with English words that a reader sees or hears. */
const englishIn = async (page: Page) => {
  const texts = await page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('script, style, code, svg, bdi')) texts.push(node.nodeValue ?? '')
    const names = ['aria-label', 'placeholder', 'title', 'alt']
    for (const element of document.querySelectorAll(names.map(name => `[${name}]`).join()))
      for (const name of names) texts.push(element.getAttribute(name) ?? '')
    return texts
  })
  return texts.filter(text => {
    const withoutValues = values.reduce((rest, value) => rest.replace(value, ' '), text.trim())
    const rest = data.reduce((rest, words) => rest.replaceAll(words, ' '), withoutValues)
    return /(?<![\p{L}\p{M}\d])[A-Za-z]{2,}(?![\p{L}\p{M}\d])/u.test(rest)
  })
}

for (let share = 0; share < shares; share++) {
  test(`the pseudo-language fits every scene and leaves no English: part ${share + 1} of ${shares}`, { tag: '@long' }, async ({
    page,
    gallery,
    open,
    consoleLines,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const scenes = await scenesIn(page, gallery.url)
    consoleLines.splice(0)
    const found: unknown[] = []
    for (const scene of scenes.filter((_, i) => i % shares === share)) {
      await open(scene, 'light', pseudoTag)
      await removeMails(page)
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        found.push(...[...(await lostAtZoom(page)), ...(await clippedTexts(page))].map(one => [scene, width, one]))
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      if (!notTranslated.test(scene)) found.push(...(await englishIn(page)).map(text => [scene, text]))
    }
    expect(found).toEqual([])
  })
}

test('finds clipped texts, and labels that overflow their button', async ({ page }) => {
  await page.setContent(`<style>* { font: 16px / 20px monospace; white-space: nowrap }</style>
    <p style="width: 40px; overflow: hidden; text-overflow: ellipsis">an ellipsis</p>
    <div style="height: 20px; overflow: hidden"><p style="margin: 0">first<br>second</p></div>
    <button style="width: 60px">a label that is too long</button>
    <div style="width: 40px; overflow: auto"><span>what scrolls</span></div>
    <button>fits</button>`)
  expect((await clippedTexts(page)).map(found => found.replace(/ in <.*/s, ''))).toEqual([
    'clipped: an ellipsis',
    'clipped: second',
    'clipped: a label that is too long',
  ])
})
