import { directionOf } from '@gatehouse/language/text.ts'
import { language, approverTexts as words } from '../messages/current.ts'

/** Gives the notification's text to the service worker (approve-worker.ts), which can't load a translation: it may import nothing. */
export const keepNotificationText = async (base: string): Promise<void> => {
  const text = { title: words.notification('{product}'), lang: language, dir: directionOf(language) }
  const cache = await caches.open('gatehouse-approver')
  await cache.put(`${base}/approve-notification`, Response.json(text))
}
