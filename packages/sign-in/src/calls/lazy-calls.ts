import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import type { Config } from '../config.ts'
import type { Api, Reply } from './api.ts'

const load = retriable(() => import('./after-first-load.ts'))

/** Loads the code of the calls, with the shapes of all replies. It is not part of the first load. */
export const loadCalls = () =>
  load().then(
    module => {
      missing = false
      return module
    },
    cause => {
      missing = true
      throw cause
    },
  )
let missing = false

/** Whether the code of the calls failed to load although the browser is online. Then the browser posts forms that work without a script. */
export const areCallsUnavailable = () => missing && navigator.onLine

/** The reply if the page's own code failed to load. */
export const codeMissing = (cause: unknown) =>
  ({ ok: false, failure: { is: 'unreachable', message: 'Something went wrong', detail: `the page's own code: ${String(cause)}` } }) as const

/** The calls of the login page, which load their code when first used. Like all calls, they never reject. */
export const createLazyCalls = (
  config: Pick<Config, 'baseUrl'>,
  page: { passkeys: boolean },
): Pick<Api, 'getAuthTokenWithError' | 'plowlogin'> => {
  const call = async <T>(run: (api: Api) => Promise<Reply<T>>): Promise<Reply<T>> => {
    try {
      const { createApi } = await loadCalls()
      return await run(createApi(config, page))
    } catch (cause) {
      return codeMissing(cause)
    }
  }
  return {
    getAuthTokenWithError: (login, signal) => call(api => api.getAuthTokenWithError(login, signal)),
    plowlogin: (token, signal) => call(api => api.plowlogin(token, signal)),
  }
}
