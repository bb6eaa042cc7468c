// Lines on the console for developers. Not loaded on demand: in a host's bundle, a dynamic import costs more than these lines.

import type { Failure } from '../calls/api.ts'
import { warnOfMissingServer } from '../calls/missing-server.ts'
import { warnOfPageOrigin } from '../calls/page-origin.ts'
import type { Config } from '../config.ts'
import { logError } from '../log.ts'

/** Explains a sign-in that kept the page and began no session: the page itself does not show the cause. */
export const explainMissingSession = ({ baseUrl }: Pick<Config, 'baseUrl'>): void =>
  logError(
    `the sign-in succeeded, but the server at ${baseUrl} sees no session; the browser may have withheld its cookie, because page and server are different sites or it blocks cookies, or a proxy removed the cookie`,
  )

/** Says why the first check failed, where an address or a setting can be the reason. */
export const explainFailure = async (config: Pick<Config, 'baseUrl'>, failure: Failure): Promise<void> => {
  warnOfMissingServer(config, failure)
  if (failure.is === 'unreachable' || failure.is === 'aborted') await warnOfPageOrigin(config)
}
