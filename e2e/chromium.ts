/** No background requests and no prompts. No sandbox, because Chromium's does not work for root. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The full browser. */
export const fullChromium = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The headless shell, if installed: the same rendering with a third less work, but without notifications and the back/forward cache. */
export const chromium = process.env.CHROMIUM_HEADLESS_SHELL ?? fullChromium
