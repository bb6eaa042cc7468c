import webPush from 'web-push'
import { createProviderFetch } from '../../http-client/guarded-fetch.ts'
import { limits } from '../../limits.ts'
import type { PushSubscription } from './push.ts'

/** How devices can be woken besides Web Push: servers of the operator's own. */
export type WakeServers = {
  ntfy: string | undefined
  gotify: { url: string; token: string } | undefined
}

/** What came of a try: it was taken, there is nobody (any more), or it may be taken later. */
export type Woken = 'taken' | 'gone' | 'failed'

/** All that a message says. It passes through others' hands, and whoever holds the device sees it on a locked screen. */
const message = JSON.stringify({ wake: true })

/** Sends what wakes a device. Nothing in it is a secret, and no name is in it. */
export const createWakeWays = (deps: {
  servers: WakeServers
  /** Whether push services may be in our own network. */
  allowInside: boolean
  productName: string
  /** Where the approver is. */
  approverUrl: string
  /** By which push services reach whoever runs this server (RFC 8292 §2.1). */
  contact: string
}) => {
  const { servers, productName, approverUrl } = deps
  const fetchOutside = createProviderFetch({ allowInside: deps.allowInside })
  const fetchOwn = createProviderFetch({ allowInside: true })
  const text = `${productName}: someone is trying to sign in. Open the approver.`

  const judged = (status: number): Woken => (status >= 200 && status < 300 ? 'taken' : status === 404 || status === 410 ? 'gone' : 'failed')

  /** RFC 8030, encrypted for the device alone (RFC 8291). A newer message takes the place of an older one that waits. */
  const byWebPush = async (
    subscription: PushSubscription,
    keys: { publicKey: string; privateKey: string },
    signal: AbortSignal,
  ): Promise<Woken> => {
    const { endpoint, method, headers, body } = webPush.generateRequestDetails(subscription, message, {
      vapidDetails: { subject: deps.contact, ...keys },
      TTL: limits.push.lifetime / 1000,
      urgency: 'high',
      topic: 'sign-in',
    })
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    return judged((await fetchOutside(endpoint, { method, headers: plain, body, signal })).status)
  }

  const byNtfy = async (topic: string, signal: AbortSignal): Promise<Woken> => {
    const headers = { click: approverUrl, priority: 'high', 'content-type': 'text/plain; charset=utf-8' }
    return judged((await fetchOwn(`${servers.ntfy}/${topic}`, { method: 'POST', headers, body: text, signal })).status)
  }

  const byGotify = async ({ url, token }: { url: string; token: string }, signal: AbortSignal): Promise<Woken> => {
    const extras = { 'client::notification': { click: { url: approverUrl } } }
    const headers = { 'content-type': 'application/json', 'x-gotify-key': token }
    const body = JSON.stringify({ title: productName, message: text, priority: 8, extras })
    return judged((await fetchOwn(`${url}/message`, { method: 'POST', headers, body, signal })).status)
  }

  return { servers, byWebPush, byNtfy, byGotify }
}
export type WakeWays = ReturnType<typeof createWakeWays>
