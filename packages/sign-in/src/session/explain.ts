// Lines for developers, which a page loads only when it needs them.
import type { Config } from '../config.ts'
import { logError } from '../log.ts'

/** After a sign-in that kept the page: nothing on the page shows why it does not go on. */
export const explainMissingSession = ({ baseUrl }: Pick<Config, 'baseUrl'>): void =>
  logError(
    `the sign-in succeeded, but the server at ${baseUrl} sees no session; the browser may have withheld its cookie, because page and server are different sites or it blocks cookies, or a proxy removed the cookie`,
  )
