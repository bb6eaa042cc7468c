/**
 * Loads code once more that could not be loaded before. Until 2026 browsers kept in mind that a module had not come, and failed it at once until the
 * page was loaded anew (whatwg/html#10327); under another address they ask for it. Chromium and Firefox name the address in what they throw.
 * @throws what `load` throws where it names none
 */
export const loadAgain = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    const [address] = /https?:\S+/.exec(String(cause)) ?? []
    if (!address) throw cause
    const again = new URL(address)
    again.searchParams.set('again', String(Date.now()))
    const module: T = await import(/* webpackIgnore: true */ /* @vite-ignore */ again.href)
    return module
  }
}
