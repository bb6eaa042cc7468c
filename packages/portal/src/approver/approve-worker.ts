/// <reference lib="webworker" />

// The approver's service worker: shows notifications, and caches the page for a phone that is offline. It caches no response of a call.

declare const self: ServiceWorkerGlobalScope

const shell = 'gatehouse-approver'
/** How long to wait for the network before showing the cached page. */
const patienceMs = 4000

const base = new URL('.', self.location.href)
const page = new URL('approve', base).href
const manifest = new URL('approve.webmanifest', base).href
const assets = new URL('assets/', base).href
/** The cache key of the notification's text. The server has no such file: the page stores the text (notification-text.ts). */
const notification = new URL('approve-notification', base).href

/** Caches the page and the files it refers to, and removes all others. */
const keep = async (response: Response) => {
  const html = await response.clone().text()
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, href = '']) => URL.parse(href, page)?.href ?? [])
  const wanted = new Set([page, manifest, notification, ...named.filter(href => href.startsWith(assets))])
  const cache = await caches.open(shell)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  // File names contain a hash of the content, so a cached file is never outdated.
  await cache.addAll([...wanted].filter(href => href === manifest || (href !== page && href !== notification && !kept.has(href))))
  await cache.put(page, response)
  for (const url of kept) if (!wanted.has(url)) await cache.delete(url)
}

const fetchPage = async () => {
  const response = await fetch(page, { credentials: 'same-origin', headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(`the page answered ${response.status}`)
  return response
}

self.addEventListener('install', event => {
  event.waitUntil(fetchPage().then(keep))
  void self.skipWaiting()
})
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

/** The current page, or the cached one if the network is slow or down. */
const openPage = async (keeping: (work: Promise<unknown>) => void): Promise<Response> => {
  const fresh = fetchPage()
  keeping(fresh.then(response => keep(response.clone())).catch(() => {}))
  const slow = new Promise<undefined>(resolve => setTimeout(resolve, patienceMs))
  const response = await Promise.race([fresh, slow]).catch(() => undefined)
  return response ?? (await caches.match(page)) ?? fresh
}

self.addEventListener('fetch', event => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && request.url.split(/[?#]/)[0] === page) {
    return event.respondWith(openPage(work => event.waitUntil(work)))
  }
  if (request.url.startsWith(assets)) event.respondWith(caches.match(request.url).then(kept => kept ?? fetch(request)))
})

/**
 * The product's name from the manifest. Push messages do not contain the name, because push
 * services can read a message's size.
 */
const productName = async (): Promise<string> => {
  try {
    const kept = (await caches.match(manifest)) ?? (await fetch(manifest))
    const { short_name: name }: { short_name?: unknown } = await kept.json()
    return typeof name === 'string' ? name : 'Gatehouse'
  } catch {
    return 'Gatehouse'
  }
}

/** The notification text, in the language last used on the page, or else in English. `{product}` stands for the product's name. */
const notificationText = async () => {
  const english = { title: '{product}: someone is trying to sign in', lang: 'en', dir: 'ltr' } as const
  try {
    const kept = await caches.match(notification)
    const { title, lang, dir }: Record<string, unknown> = kept ? await kept.json() : english
    return typeof title === 'string' && typeof lang === 'string' ? ({ title, lang, dir: dir === 'rtl' ? 'rtl' : 'ltr' } as const) : english
  } catch {
    return english
  }
}

const wake = async () => {
  for (const client of await self.clients.matchAll({ type: 'window' })) client.postMessage('push')
  // All notifications share one tag, so a second request replaces the first notification.
  const [{ title, lang, dir }, product] = await Promise.all([notificationText(), productName()])
  await self.registration.showNotification(
    title.replace('{product}', () => product),
    { tag: 'gatehouse-approver', lang, dir },
  )
}
self.addEventListener('push', event => event.waitUntil(wake()))

const openApprover = async () => {
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open) await open.focus()
  else await self.clients.openWindow(page)
}
self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(openApprover())
})

export {}
