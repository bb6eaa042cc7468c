import webPush from 'web-push'
import { createProviderFetch } from '../../http-client/guarded-fetch.ts'
import { limits } from '../../limits.ts'
import type { Reader, ServerLanguages } from '../../texts/server-languages.ts'
import type { PushSubscription } from './push.ts'

/** Push notification servers of the operator, besides Web Push. */
export type PushChannelServers = {
  ntfy: string | undefined
  gotify: { url: string; token: string } | undefined
}

/** The result of a delivery: accepted, no longer subscribed, or failed and to be retried. */
export type PushResult = 'taken' | 'gone' | 'failed'

/** The whole message. Push services can read its size and time, and lock screens show it, so it names neither user nor browser. */
const message = JSON.stringify({ wake: true })

/** Sends push notifications. They contain no secret and name no user. */
export const createPushChannels = (deps: {
  servers: PushChannelServers
  /** Whether push services may have private addresses. */
  allowInside: boolean
  productName: string
  texts: ServerLanguages
  /** The approver page's address. */
  approverUrl: string
  /** The operator's contact for push services (RFC 8292 §2.1). */
  contact: string
}) => {
  const { servers, productName, approverUrl } = deps
  const fetchOutside = createProviderFetch({ allowInside: deps.allowInside })
  const fetchOwn = createProviderFetch({ allowInside: true })
  const textFor = (reader: Reader) => deps.texts.of(reader).texts.push.signIn(productName)

  const resultOf = (status: number): PushResult =>
    status >= 200 && status < 300 ? 'taken' : status === 404 || status === 410 ? 'gone' : 'failed'

  /** Sends a message by Web Push (RFC 8030), encrypted for the phone (RFC 8291). It replaces an undelivered older one. */
  const byWebPush = async (
    subscription: PushSubscription,
    keys: { publicKey: string; privateKey: string },
    signal: AbortSignal,
  ): Promise<PushResult> => {
    const { endpoint, method, headers, body } = webPush.generateRequestDetails(subscription, message, {
      vapidDetails: { subject: deps.contact, ...keys },
      TTL: limits.push.lifetime / 1000,
      urgency: 'high',
      topic: 'sign-in',
    })
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    return resultOf((await fetchOutside(endpoint, { method, headers: plain, body, signal })).status)
  }

  const byNtfy = async (topic: string, reader: Reader, signal: AbortSignal): Promise<PushResult> => {
    const headers = { click: approverUrl, priority: 'high', 'content-type': 'text/plain; charset=utf-8' }
    return resultOf((await fetchOwn(`${servers.ntfy}/${topic}`, { method: 'POST', headers, body: textFor(reader), signal })).status)
  }

  const byGotify = async ({ url, token }: { url: string; token: string }, reader: Reader, signal: AbortSignal): Promise<PushResult> => {
    const extras = { 'client::notification': { click: { url: approverUrl } } }
    const headers = { 'content-type': 'application/json', 'x-gotify-key': token }
    const body = JSON.stringify({ title: productName, message: textFor(reader), priority: 8, extras })
    return resultOf((await fetchOwn(`${url}/message`, { method: 'POST', headers, body, signal })).status)
  }

  return { servers, byWebPush, byNtfy, byGotify }
}
export type PushChannels = ReturnType<typeof createPushChannels>
