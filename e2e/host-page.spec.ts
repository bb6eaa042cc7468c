import type { Locator, Page } from '@playwright/test'
import { PNG } from 'pngjs'
import { area, reach, type Stage, sendCode } from './area.ts'
import { outcome } from './messages.ts'
import { ada, expect, test } from './wire.ts'
import type { WireServer } from './wire-server.ts'

// A host page with common elements, and the widget's root below them. Tests add Bootstrap's style sheet, an aggressive one, or none.
const hostElements = `
  <div id="host">
    <nav class="navbar navbar-expand bg-body-tertiary"><a class="navbar-brand" href="#">Acme</a><button class="navbar-toggler" type="button">Menu</button></nav>
    <h1>Heading</h1><h2>Second</h2><p>Text with <a href="#">a link</a>, <code>code</code>, <strong>weight</strong> and <small>less</small>.</p>
    <form><label for="name">Name</label><input id="name" type="email" class="form-control"><input type="checkbox"><select><option>One</option></select>
      <button type="submit" class="btn btn-primary">Send</button><button type="button" disabled>Bare</button></form>
    <ul><li>One</li></ul><table class="table"><tr><th>A</th><td>B</td></tr></table><details><summary>More</summary>Text</details>
    <div role="alert" class="alert alert-danger">Alert</div><svg width="10" height="10"></svg><hr>
  </div>
  <div id="root"></div>`
/** For screenshots of the widget alone: the same position and background, whatever the host page contains. */
const covering =
  '#root { position: absolute; inset: 0 0 auto; padding: 16px !important; border: 0 !important; background: light-dark(white, black) !important }'

/** Host styles that outweigh classes, some of them with an ID. */
const aggressive = `
  *, *::before, *::after { box-sizing: content-box; margin: 0; padding: 0 }
  html { font-size: 20px; letter-spacing: .2em }
  body {
    color: maroon; font: italic small-caps 700 24px/2 serif; letter-spacing: 3px; word-spacing: 9px; text-indent: 2em;
    text-align: justify; text-transform: uppercase; text-shadow: 1px 1px 2px red; white-space: pre; hyphens: auto;
    overflow-wrap: anywhere; list-style: square; cursor: crosshair; quotes: '<' '>'; tab-size: 2; user-select: none;
  }
  div, span, figure, form, code { letter-spacing: 2px; background: #ffe; border: 1px dotted red; line-height: 3 }
  p { max-width: 9em; margin: 3em 2em; text-indent: 2em; text-align: center; font-size: 30px; color: green }
  h1, h2 { margin: 2em; padding: 1em; border-bottom: 4px double red; font: 900 50px fantasy; text-transform: lowercase; text-shadow: 2px 2px blue }
  a, a:link, a:visited { color: lime; text-decoration: line-through; font-weight: 900; border-bottom: 2px solid lime }
  a[href], a:not([href]):not([class]) { background: black; padding: 9px }
  a:hover, #root a[href]:hover { color: red; background: yellow; text-decoration: overline wavy; transform: scale(1.1) }
  a:focus-visible, a[href]:focus { outline: 9px dashed red; box-shadow: 0 0 9px red }
  a[href]::after { content: ' ↗' } button::before { content: '» ' }
  label { display: inline; float: left; width: 9em; font-weight: 900; text-shadow: 1px 1px red }
  input, input[type=email], input[type=password], input[type=text], #root input[type] {
    width: 120px; max-width: 120px; height: 20px; margin: 9px; padding: 1px; border: 3px inset red; border-radius: 0;
    background: pink; box-shadow: inset 0 0 9px red; color: blue; font: 9px fantasy; text-transform: uppercase; letter-spacing: 4px;
  }
  input:hover, input[type]:not([disabled]):hover { background: orange; border-color: orange }
  input:focus, input[type]:not([disabled]):focus, form input[type]:focus-visible { outline: none; background: yellow; border-color: blue; box-shadow: 0 0 0 9px blue }
  input[aria-invalid=true] { background: red } input::placeholder { color: red }
  button, button[type=button], button[type=submit], #root button {
    float: right; width: auto; min-width: 300px; margin: 9px; padding: 30px; border: 5px outset red; border-radius: 0; background: red linear-gradient(red, blue);
    box-shadow: 0 4px 9px black; color: yellow; font: 900 30px fantasy; text-shadow: 1px 1px black; text-transform: uppercase; opacity: .8; appearance: auto;
  }
  button:hover, button[type=submit]:not([disabled]):hover { background: lime; color: red; transform: translateY(-3px); filter: invert(1) }
  button:focus, button[type]:focus-visible { outline: 5px dotted lime; outline-offset: -9px; box-shadow: 0 0 9px lime }
  button:active { background: black; transform: scale(.9) } button:disabled, button[disabled] { background: gray; opacity: .2; cursor: not-allowed }
  svg, img { display: inline; width: 40px; height: 40px; max-width: 10%; vertical-align: top; fill: red; stroke: blue; stroke-width: 5px; margin: 5px }
  svg path { fill: lime; transform: rotate(9deg) }
  details { border: 3px solid red } summary { list-style: square; font-size: 30px; background: red } strong { color: red }
  [role=alert], [role=status], [role=region], [aria-label] { border: 3px solid red; background: red; padding: 9px; font-size: 30px; position: relative; top: 9px }
  :focus-visible { outline: 9px solid red } ::selection { background: red }`

const sheets = { bootstrap: '/bootstrap/bootstrap.css', aggressive: 'aggressive.css' }
type Sheet = keyof typeof sheets

const at = '/host/index.html'

const serveHost = (wire: WireServer, { sheet, widget, more = '' }: { sheet?: Sheet | undefined; widget: boolean; more?: string }) => {
  wire.serve('/host/host.css', `html { overflow-y: scroll; color-scheme: light dark } body { margin: 0 } ${more}`)
  wire.serve('/host/aggressive.css', aggressive)
  wire.serve('/host/start.js', "Gatehouse.mountSignIn('root')")
  wire.serve(
    at,
    `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="host.css">
     ${widget ? '<link rel="stylesheet" href="/page/gatehouse-sign-in.css">' : ''}
     ${sheet ? `<link rel="stylesheet" href="${sheets[sheet]}">` : ''}
     ${hostElements}${widget ? '<script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script>' : ''}</html>`,
  )
}

/**
 * The computed styles of an element, its descendants and their pseudo-elements. Leaves out custom properties, which are not
 * visible, and properties that depend on the position.
 */
const stylesOf = (element: Locator) =>
  element.evaluate(top => {
    const placed = /^(--.*|perspective-origin|transform-origin|inset-.*|top|left|right|bottom)$/
    const read = (element: Element, pseudo?: string) => {
      const style = getComputedStyle(element, pseudo)
      if (pseudo && style.content === 'none') return undefined
      return Object.fromEntries([...style].filter(name => !placed.test(name)).map(name => [name, style.getPropertyValue(name)]))
    }
    return [top, ...top.querySelectorAll('*')].map((element, index) => ({
      element: `${index} ${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`,
      itself: read(element),
      before: read(element, '::before'),
      after: read(element, '::after'),
    }))
  })

type Styles = Awaited<ReturnType<typeof stylesOf>>

/** One line for each difference. */
const differences = (one: Styles, other: Styles) =>
  one.flatMap(({ element, ...parts }, index) =>
    (['itself', 'before', 'after'] as const).flatMap(part => {
      const [a, b] = [parts[part] ?? {}, other[index]?.[part] ?? {}]
      return [...new Set([...Object.keys(a), ...Object.keys(b)])]
        .filter(name => a[name] !== b[name])
        .map(name => `${element} ${part} ${name}: ${a[name]} → ${b[name]}`)
    }),
  )

/** Chromium renders rounded corners of the same page with differences of up to 1 per color channel. */
const visible = 2

/** The first five pixels that differ visibly, or both sizes if the sizes differ. */
const differingPixels = (one: Buffer, other: Buffer) => {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)]
  if (a.width !== b.width || a.height !== b.height) return [`${a.width} × ${a.height} → ${b.width} × ${b.height}`]
  const places: string[] = []
  for (let i = 0; i < a.data.length && places.length < 5; i += 4) {
    if ([0, 1, 2, 3].some(channel => Math.abs((a.data[i + channel] ?? 0) - (b.data[i + channel] ?? 0)) > visible)) {
      places.push(
        `${(i / 4) % a.width}, ${Math.floor(i / 4 / a.width)}: ${a.data.toString('hex', i, i + 4)} → ${b.data.toString('hex', i, i + 4)}`,
      )
    }
  }
  return places
}

/** The styles of each button, link and field of the widget, hovered and with keyboard focus. */
const touched = async (page: Page) => {
  const room = page.viewportSize()
  // Large enough for all of them: the pointer cannot leave the viewport.
  await page.setViewportSize({ width: 1280, height: 1400 })
  const all: { hovered: Styles; focused: Styles }[] = []
  for (const one of await page.locator('[data-gatehouse] :is(a, button, input, summary)').filter({ visible: true }).all()) {
    const box = await one.boundingBox()
    if (!box) throw new Error('not to be seen')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    expect(await one.evaluate(element => element.matches(':hover'))).toBe(true)
    const hovered = await stylesOf(one)
    await page.mouse.move(0, 0)
    // After a key press, an element that a script focuses matches :focus-visible.
    await page.keyboard.press('Shift')
    await one.evaluate((element: HTMLElement) => element.focus())
    const focused = await stylesOf(one)
    all.push({ hovered, focused })
  }
  if (room) await page.setViewportSize(room)
  return all
}

/** The pages with as many elements as possible. */
const pages: Record<string, (stage: Stage) => Promise<void>> = {
  login: async stage => {
    await reach.login(stage)
    await area(stage.page).signIn.click()
    await expect(stage.page.getByText('Enter your email address.')).toBeVisible()
  },
  'factor verification': async stage => {
    stage.wire.answer('verifyOTP', { json: outcome.invalidCode })
    await reach.verifyFactor(stage)
    await sendCode(stage.page)
    await expect(area(stage.page).toasts).toHaveCount(1)
    // Wait for the end of the animation.
    await expect(stage.page.locator('.Toastify__toast')).toHaveCSS('animation-name', 'none')
  },
  'factor creation': async stage => {
    stage.wire.answer('setupOTP', { json: outcome.failedLogin })
    await reach.createFactor(stage)
    await area(stage.page).skip.click()
    await expect(area(stage.page).banner).toBeVisible()
  },
  'factor reset': reach.resetFactor,
  'forgot password': async stage => {
    // Stop the clock, because the page shows a countdown in seconds.
    await stage.page.clock.setFixedTime(new Date())
    await reach.forgotPassword(stage)
    await area(stage.page).email.fill(ada.username)
    await area(stage.page).sendMagicLink.click()
    await expect(stage.page.getByText('Email sent')).toBeVisible()
  },
}

const names: Record<Sheet, string> = { bootstrap: 'Bootstrap', aggressive: 'a sheet that styles every element' }
const everySheet = Object.keys(sheets) as Sheet[]

for (const sheet of everySheet) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`mounting the widget does not change a page with ${names[sheet]} in the ${colorScheme} color scheme`, async ({ page, wire }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const body = () =>
        page.evaluate(() =>
          ['font', 'color', 'background-color', 'margin'].map(name => getComputedStyle(document.body).getPropertyValue(name)),
        )
      const look = async () => ({
        styles: await stylesOf(page.locator('#host')),
        body: await body(),
        picture: await page.locator('#host').screenshot(),
      })
      serveHost(wire, { sheet, widget: false })
      await page.goto(at)
      const before = await look()
      expect(before.styles.length).toBeGreaterThan(25)
      serveHost(wire, { sheet, widget: true })
      // With a toast, because toasts bring their own style sheet.
      await pages['factor verification']?.({ page, wire, at })
      await area(page).toasts.getByRole('button', { name: 'Close' }).click()
      await expect(area(page).toasts).toHaveCount(0)
      const after = await look()
      expect(differences(before.styles, after.styles)).toEqual([])
      expect(after.body).toEqual(before.body)
      expect(differingPixels(before.picture, after.picture)).toEqual([])
    })
  }

  for (const [name, to] of Object.entries(pages)) {
    test(`the widget looks the same with ${names[sheet]} and without: ${name}`, async ({ page, wire }) => {
      test.setTimeout(60_000)
      const widget = page.locator('[data-gatehouse]')
      const look = async (beside: Sheet | undefined) => {
        serveHost(wire, { sheet: beside, widget: true, more: covering })
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        await to({ page, wire, at })
        await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
        await page.mouse.move(0, 0)
        const light = { styles: await stylesOf(widget), picture: await widget.screenshot() }
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
        const dark = { styles: await stylesOf(widget), picture: await widget.screenshot() }
        return { light, dark, touched: await touched(page) }
      }
      const alone = await look(undefined)
      const beside = await look(sheet)
      for (const theme of ['light', 'dark'] as const) {
        expect(differences(alone[theme].styles, beside[theme].styles), theme).toEqual([])
        expect(differingPixels(alone[theme].picture, beside[theme].picture), theme).toEqual([])
      }
      expect(alone.touched.length).toBeGreaterThan(1)
      expect(beside.touched.length).toBe(alone.touched.length)
      for (const [index, { hovered, focused }] of alone.touched.entries()) {
        expect(differences(hovered, beside.touched[index]?.hovered ?? []), `hovered, ${index}`).toEqual([])
        expect(differences(focused, beside.touched[index]?.focused ?? []), `focused, ${index}`).toEqual([])
      }
    })
  }
}
