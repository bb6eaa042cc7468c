import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumFlags, fullChromium } from '../e2e/chromium.ts'
import { probe, type Seen, seenAs, wanted } from './page-probe.ts'
import type { Target } from './page-targets.ts'

export const profiles = {
  /** A slow phone. */
  slow: { processor: 4, network: { latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }, patience: 60_000 },
  fast: { processor: 1, network: undefined, patience: 15_000 },
} as const
export type Profile = keyof typeof profiles

/** A target with its address, and the address of a page of another site. */
export type Served = Target & { url: string; elsewhere: string }

/** Resolves local names only, so that calls to vendors fail immediately. */
const names = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'

/**
 * For each new context, the browser also loads its own page for the suggestions of the address bar: more than a hundred modules.
 * On two cores, it would take time from the measured page. Chromium only reads the last list, so this one includes what
 * Playwright turns off.
 */
const off = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AimEnabled'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying'],
  ...['OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
]
const flags = [...chromiumFlags, '--ignore-certificate-errors', `--host-resolver-rules=${names}`, `--disable-features=${off}`]

export const openBrowser = () => chromium.launch({ executablePath: fullChromium, args: flags })

export type Visit = {
  page: Page
  client: CDPSession
  /** Returns the probe's measurements so far. */
  look: () => Promise<Seen>
  /** Waits until the network and the processor have been idle for 0.7 s and the entered text stays in the field. */
  settle: () => Promise<void>
  /** Errors on the console, and uncaught errors. */
  errors: string[]
  close: () => Promise<void>
}

const restMs = 700
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Opens the target in a new browser context, coming from a page of another site. The browser then starts a new process for
 * every target. From an empty tab, it would do so only for targets with Cross-Origin-Opener-Policy.
 */
export const visit = async (
  browser: Browser,
  { url, host, elsewhere }: Served,
  profile: Profile,
  typing: { untilKept: boolean; onWanted: (client: CDPSession) => void },
): Promise<Visit> => {
  const { processor, network, patience } = profiles[profile]
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  const client = await context.newCDPSession(page)
  await page.goto(elsewhere)
  const underWay = new Set<string>()
  let lastChange = Date.now()
  const change = (id: string, begins = false) => {
    lastChange = Date.now()
    if (begins) underWay.add(id)
    else underWay.delete(id)
  }
  client.on('Network.requestWillBeSent', ({ requestId, request }) => /^(data|blob):/.test(request.url) || change(requestId, true))
  // A response whose body the page does not read never finishes.
  client.on('Network.responseReceived', ({ requestId, type }) => /^(Fetch|XHR)$/.test(type) && change(requestId))
  client.on('Network.loadingFinished', ({ requestId }) => change(requestId))
  client.on('Network.loadingFailed', ({ requestId }) => change(requestId))
  client.on('Runtime.bindingCalled', ({ name }) => name === wanted && typing.onWanted(client))
  await client.send('Network.enable')
  await client.send('Performance.enable')
  await client.send('Runtime.enable')
  await client.send('Runtime.addBinding', { name: wanted })
  await page.addInitScript(probe, { wanted, seenAs, host, untilKept: typing.untilKept })
  if (network) await client.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await client.send('Emulation.setCPUThrottlingRate', { rate: processor })
  const began = Date.now()
  await page.goto(url, { waitUntil: 'commit', timeout: patience })

  const look = (): Promise<Seen> => page.evaluate(name => Reflect.get(window, name), seenAs)
  const settle: Visit['settle'] = async () => {
    for (;;) {
      await pause(100)
      const [seen, now] = await page.evaluate(name => [Reflect.get(window, name) as Seen, performance.now()] as const, seenAs)
      const last = seen.longTasks.at(-1)
      const rests = underWay.size === 0 && Date.now() - lastChange > restMs && now - (last ? last.start + last.duration : 0) > restMs
      if (rests && seen.usable !== null && seen.frames > 10) return
      if (Date.now() - began > patience) throw new Error(`${url} did not become idle: ${JSON.stringify({ ...seen, errors })}`)
    }
  }
  const close = async () => {
    await context.close()
    // The renderer process needs a moment to exit.
    await pause(400)
  }
  return { page, client, look, settle, errors, close }
}
