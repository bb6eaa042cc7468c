import type { Config } from '../config.ts'
import { logError } from '../log.ts'
import type { Failure } from './answer.ts'

const logged = new Set<string>()

/**
 * Logs that the page's own origin has no Gatehouse server, because it replies 404 to the sign-in.
 * Logs once for each address. This happens on a development server if the page leaves out the
 * option `server`.
 */
export const warnOfMissingServer = ({ baseUrl }: Pick<Config, 'baseUrl'>, { status }: Failure): void => {
  const { origin, href } = window.location
  if (status !== 404 || URL.parse(baseUrl, href)?.origin !== origin || logged.has(baseUrl)) return
  logged.add(baseUrl)
  logError(`no Gatehouse server at ${baseUrl || origin}; set the option server to its address`)
}
