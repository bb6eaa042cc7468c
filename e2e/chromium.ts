/** Nothing that reaches out or asks by itself; no sandbox, for root has none. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium as people have it. */
export const wholeChromium = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The same without what is around its pages, where there is one: the same pages for two thirds of the work. It shows no notifications and keeps no page for going back. */
export const chromium = process.env.CHROMIUM_HEADLESS_SHELL ?? wholeChromium
