import { nameOfDevice, wantsHomeScreen } from './device-name.ts'

/** Whether this browser shows notifications while the page is closed; 'none' if it can't. */
type Notifications = 'none' | 'default' | 'denied' | 'granted'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** The functions of the browser that the page needs; tests replace them. */
export type PhoneDevice = {
  name: string
  wantsHomeScreen: boolean
  notifications: () => Notifications
  askForNotifications: () => Promise<void>
  /** Subscribes to push messages of the server with this key; `undefined` if the browser can't. */
  subscription: (webPushKey: string) => Promise<Subscription | undefined>
  /** Closes all notifications. The page calls it after an answer. */
  clearNotifications: () => Promise<void>
  /** Listens for push messages. @returns a function that stops listening */
  onPush: (listener: () => void) => () => void
  /** Reports whether the browser can put the app on the home screen, with a function that asks for it. */
  onInstallable: (report: (install: (() => Promise<void>) | undefined) => void) => () => void
}

/** Chromium's event `beforeinstallprompt`. */
type InstallEvent = Event & { prompt: () => Promise<unknown> }
const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event && typeof event.prompt === 'function'

/** This browser. The service worker must be registered first. */
export const thisPhone = (): PhoneDevice => {
  const { userAgent } = navigator
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
  const canNotify = workers !== undefined && 'Notification' in window && 'PushManager' in window

  return {
    name: nameOfDevice(userAgent),
    wantsHomeScreen: wantsHomeScreen({ userAgent, standalone: window.matchMedia('(display-mode: standalone)').matches }),
    notifications: () => (canNotify ? Notification.permission : 'none'),
    askForNotifications: async () => {
      if (canNotify) await Notification.requestPermission()
    },
    subscription: async webPushKey => {
      if (!workers || !canNotify) return undefined
      const { pushManager } = await workers.ready
      const options = { userVisibleOnly: true, applicationServerKey: webPushKey }
      // A subscription for an older key of the server is useless, and the browser allows only one.
      const made = await pushManager.subscribe(options).catch(async () => {
        await (await pushManager.getSubscription())?.unsubscribe()
        return pushManager.subscribe(options)
      })
      const { endpoint, keys } = made.toJSON()
      const { p256dh, auth } = keys ?? {}
      return endpoint && p256dh && auth ? { endpoint, keys: { p256dh, auth } } : undefined
    },
    clearNotifications: async () => {
      const registration = await workers?.getRegistration()
      for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
    },
    onPush: listener => {
      workers?.addEventListener('message', listener)
      return () => workers?.removeEventListener('message', listener)
    },
    onInstallable: report => {
      const offer = (event: Event) => {
        if (!isInstallEvent(event)) return
        // Otherwise the browser shows its own prompt, at an unexpected moment.
        event.preventDefault()
        report(async () => {
          report(undefined)
          await event.prompt()
        })
      }
      const done = () => report(undefined)
      window.addEventListener('beforeinstallprompt', offer)
      window.addEventListener('appinstalled', done)
      return () => {
        window.removeEventListener('beforeinstallprompt', offer)
        window.removeEventListener('appinstalled', done)
      }
    },
  }
}
