import { routes } from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { logError } from '../log.ts'
import { isReachable } from './reachable.ts'
import { getPublicJson } from './request.ts'

const asked = new Set<string>()

/**
 * Logs in one sentence why the page's origin cannot sign in at this server, or that the server
 * cannot be reached. Browsers hide the reason for a blocked call (CORS) from scripts, so this asks
 * the server, once for each server. Logs nothing if the server responds but scripts cannot read the
 * response: it may lack this call.
 */
export const warnOfPageOrigin = async ({ baseUrl }: Pick<Config, 'baseUrl'>): Promise<void> => {
  const { origin: page, href } = window.location
  const server = URL.parse(baseUrl, href)?.origin
  if (server === undefined || server === page || asked.has(baseUrl)) return
  asked.add(baseUrl)
  const reply = await getPublicJson(baseUrl)(routes.originCheck.path, routes.originCheck.response)
  if (!reply.ok) {
    if (reply.failure.is !== 'unreachable' || (await isReachable(baseUrl + routes.originCheck.path))) return
    return logError(`cannot reach ${baseUrl}; check that a Gatehouse server runs there, and that the option server has its address`)
  }
  switch (reply.value.pageOrigin) {
    case 'Allowed':
      return
    case 'NotListed':
      return logError(`sign-in does not work on this page: ${page} is not in GATEHOUSE_ORIGINS of the server at ${server}`)
    case 'OtherSite':
      return logError(
        `sign-in does not work on this page: ${page} and the server at ${server} are different sites, so browsers block the server's cookies; use the same scheme and hosts under one domain, such as app.example.com and sign-in.example.com`,
      )
  }
}
