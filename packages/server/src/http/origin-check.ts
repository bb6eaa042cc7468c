import { isIP } from 'node:net'
import { type OriginCheck, routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { bind } from './bind.ts'

/**
 * Tells a page whether its origin may call us. A browser hides from scripts why it refused a call (CORS), so the widget asks here and
 * logs the reason. The answer depends on the page's origin alone, and says no more than the CORS headers of any call do.
 */
export const addOriginCheck = (app: FastifyInstance, { publicUrl, origins }: Config) =>
  bind(app, routes.originCheck, async (_, { request, reply }) => {
    reply.header('access-control-allow-origin', '*').removeHeader('access-control-allow-credentials')
    const { origin, 'sec-fetch-site': site } = request.headers
    const pageOrigin = ((): OriginCheck['pageOrigin'] => {
      if (origin === undefined || origin === publicUrl.origin) return 'Allowed'
      if (site === undefined ? isOtherSite(origin, publicUrl.origin) : site === 'cross-site') return 'OtherSite'
      return origins.includes(origin) ? 'Allowed' : 'NotListed'
    })()
    return { pageOrigin }
  })

/**
 * Whether two origins certainly belong to different sites. Used for requests without Sec-Fetch-Site, which browsers send only to https and
 * localhost. The server has no list of public suffixes, so it treats `a.co.uk` and `b.co.uk` as one site.
 */
const isOtherSite = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  if (!a || !b || a.protocol !== b.protocol) return true
  return siteOf(a.hostname) !== siteOf(b.hostname)
}

const siteOf = (host: string) => (isIP(host) || host.startsWith('[') ? host : host.split('.').slice(-2).join('.'))
