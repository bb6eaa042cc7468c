/** The address in what Chromium and Firefox throw where a module did not come. */
const failedAddress = /dynamically imported module: (https?:\S+)$/

/**
 * Loads code, and after a failure gets through when it is asked for once more. Until 2026 browsers kept in mind that a module had not come, and failed
 * it at once until the page was loaded anew (whatwg/html#10327); under another address they ask for it. Where the browser names no address nothing is
 * gained.
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
