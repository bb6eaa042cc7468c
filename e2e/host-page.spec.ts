import type { Locator } from '@playwright/test'
import { PNG } from 'pngjs'
import { area, reach, type Stage, sendCode } from './area.ts'
import { outcome } from './messages.ts'
import { ada, expect, test } from './wire.ts'
import type { WireServer } from './wire-server.ts'

// A page that has a life of its own, with Bootstrap's style sheet or without, and room for the widget below.
const furniture = `
  <div id="host">
    <nav class="navbar navbar-expand bg-body-tertiary"><a class="navbar-brand" href="#">Acme</a><button class="navbar-toggler" type="button">Menu</button></nav>
    <h1>Heading</h1><h2>Second</h2><p>Text with <a href="#">a link</a>, <code>code</code>, <strong>weight</strong> and <small>less</small>.</p>
    <form><label for="name">Name</label><input id="name" type="email" class="form-control"><input type="checkbox"><select><option>One</option></select>
      <button type="submit" class="btn btn-primary">Send</button><button type="button" disabled>Bare</button></form>
    <ul><li>One</li></ul><table class="table"><tr><th>A</th><td>B</td></tr></table><details><summary>More</summary>Text</details>
    <div role="alert" class="alert alert-danger">Alert</div><svg width="10" height="10"></svg><hr>
  </div>
  <div id="root"></div>`
/** For pictures of the widget alone: at the same place whatever stands above it, and on the same ground. */
const covering = '#root { position: absolute; inset: 0 0 auto; padding: 16px; background: light-dark(white, black) }'

const at = '/host/index.html'

const serveHost = (wire: WireServer, { bootstrap, widget, more = '' }: { bootstrap: boolean; widget: boolean; more?: string }) => {
  wire.serve('/host/host.css', `html { overflow-y: scroll; color-scheme: light dark } body { margin: 0 } ${more}`)
  wire.serve('/host/start.js', "Gatehouse.mountSignIn('root')")
  wire.serve(
    at,
    `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="host.css">
     ${widget ? '<link rel="stylesheet" href="/page/gatehouse-sign-in.css">' : ''}
     ${bootstrap ? '<link rel="stylesheet" href="/bootstrap/bootstrap.css">' : ''}
     ${furniture}${widget ? '<script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script>' : ''}</html>`,
  )
}

/** Every computed style of an element, of all in it and of their pseudo-elements; custom properties, which have no look, and what depends on where it stands are left out. */
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

/** The differences, each in a line, for a whole style says nothing to a reader. */
const differences = (one: Styles, other: Styles) =>
  one.flatMap(({ element, ...parts }, index) =>
    (['itself', 'before', 'after'] as const).flatMap(part => {
      const [a, b] = [parts[part] ?? {}, other[index]?.[part] ?? {}]
      return [...new Set([...Object.keys(a), ...Object.keys(b)])]
        .filter(name => a[name] !== b[name])
        .map(name => `${element} ${part} ${name}: ${a[name]} → ${b[name]}`)
    }),
  )

/** Where two pictures differ: the first few places, or their sizes. */
const differingPixels = (one: Buffer, other: Buffer) => {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)]
  if (a.width !== b.width || a.height !== b.height) return [`${a.width} × ${a.height} → ${b.width} × ${b.height}`]
  const places: string[] = []
  for (let i = 0; i < a.data.length && places.length < 5; i += 4) {
    if (a.data.readUInt32BE(i) !== b.data.readUInt32BE(i)) {
      places.push(
        `${(i / 4) % a.width}, ${Math.floor(i / 4 / a.width)}: ${a.data.toString('hex', i, i + 4)} → ${b.data.toString('hex', i, i + 4)}`,
      )
    }
  }
  return places
}

/** The pages with as much on them as they can have. */
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
  },
  'factor creation': async stage => {
    stage.wire.answer('setupOTP', { json: outcome.failedLogin })
    await reach.createFactor(stage)
    await area(stage.page).skip.click()
    await expect(area(stage.page).banner).toBeVisible()
  },
  'factor reset': reach.resetFactor,
  'forgot password': async stage => {
    await reach.forgotPassword(stage)
    await area(stage.page).email.fill(ada.username)
    await area(stage.page).sendMagicLink.click()
    await expect(stage.page.getByText('Email sent')).toBeVisible()
  },
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`Bootstrap’s page looks the same before and after the widget is mounted, ${colorScheme}`, async ({ page, wire }) => {
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
    serveHost(wire, { bootstrap: true, widget: false })
    await page.goto(at)
    const before = await look()
    expect(before.styles.length).toBeGreaterThan(25)
    serveHost(wire, { bootstrap: true, widget: true })
    // With a toast, for that brings a style sheet of its own.
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
  test(`the widget looks the same with Bootstrap and without: ${name}`, async ({ page, wire }) => {
    const widget = page.locator('[data-gatehouse]')
    const look = async (bootstrap: boolean) => {
      serveHost(wire, { bootstrap, widget: true, more: covering })
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await to({ page, wire, at })
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await page.mouse.move(0, 0)
      const light = { styles: await stylesOf(widget), picture: await widget.screenshot() }
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      return { light, dark: { styles: await stylesOf(widget), picture: await widget.screenshot() } }
    }
    const alone = await look(false)
    const beside = await look(true)
    for (const theme of ['light', 'dark'] as const) {
      expect(differences(alone[theme].styles, beside[theme].styles), theme).toEqual([])
      expect(differingPixels(alone[theme].picture, beside[theme].picture), theme).toEqual([])
    }
  })
}
