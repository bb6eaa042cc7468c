import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import type { Config } from '../config.ts'
import type { Api, Reply } from './api.ts'

const load = retriable(() => import('./api.ts'))

/**
 * Brings the code of the calls, and with it the shapes of all that is answered. The first page does without until it is used, and
 * fetches it ahead of need once it has come to rest.
 */
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

/** Whether that code could not be had, though there is a network: then a form that works without a script is sent as it is. */
export const areCallsMissing = () => missing && navigator.onLine

/** The calls of the first page. Like all others they never reject. */
export const createFirstCalls = (config: Pick<Config, 'baseUrl'>): Pick<Api, 'getAuthTokenWithError' | 'plowlogin'> => {
  const call = async <T>(run: (api: Api) => Promise<Reply<T>>): Promise<Reply<T>> => {
    try {
      const { createApi } = await loadCalls()
      return await run(createApi(config))
    } catch (cause) {
      return { ok: false, failure: { is: 'unreachable', message: 'Something went wrong', detail: `the page's own code: ${String(cause)}` } }
    }
  }
  return {
    getAuthTokenWithError: (login, signal) => call(api => api.getAuthTokenWithError(login, signal)),
    plowlogin: (token, signal) => call(api => api.plowlogin(token, signal)),
  }
}
