/** The address in the error that Chromium and Firefox throw when a module does not load. */
const failedAddress = /dynamically imported module: (https?:\S+)$/

/**
 * Makes a dynamic import that can succeed after a failure. Until 2026, browsers remembered that a module had failed, and failed it
 * again without a request until the page was reloaded (whatwg/html#10327). A retry uses another address; it does not help in
 * browsers whose error names no address.
 */
export const retriable = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let failed = false
  return async () => {
    try {
      return await load()
    } catch (cause) {
      const [, address] = failedAddress.exec(String(cause)) ?? []
      if (!failed || !address) {
        failed = true
        throw cause
      }
      const again = new URL(address)
      again.searchParams.set('again', String(Date.now()))
      const module: T = await import(/* webpackIgnore: true */ /* @vite-ignore */ again.href)
      return module
    }
  }
}
