import { nameOfDevice, wantsHomeScreen } from './device-name.ts'

/** Whether this browser tells of what waits while the page is closed; 'none' where it cannot. */
type Notifications = 'none' | 'default' | 'denied' | 'granted'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** What the page is told of the browser it is in, and has it do. */
export type PhoneDevice = {
  name: string
  wantsHomeScreen: boolean
  notifications: () => Notifications
  askForNotifications: () => Promise<void>
  /** Where this browser is woken by a server of that key; `undefined` where it is not to be had. */
  subscription: (webPushKey: string) => Promise<Subscription | undefined>
  /** Takes away the notifications of what is answered. */
  clearNotifications: () => Promise<void>
  /** Calls back when something came that woke this browser. Returns what ends that. */
  onWoken: (woken: () => void) => () => void
  /** Offers to put the app on the home screen, where the browser can; told whether it can. */
  onInstallable: (told: (install: (() => Promise<void>) | undefined) => void) => () => void
}

/** Where Chromium lets a page offer that by itself. */
type InstallEvent = Event & { prompt: () => Promise<unknown> }
const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event && typeof event.prompt === 'function'

/** This browser. The worker is registered beforehand, where there can be one. */
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
      // One that was made for another key of the server is of no use to this one, and stands in the way.
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
    onWoken: woken => {
      workers?.addEventListener('message', woken)
      return () => workers?.removeEventListener('message', woken)
    },
    onInstallable: told => {
      const offer = (event: Event) => {
        if (!isInstallEvent(event)) return
        // Without this the browser asks by itself, when nobody expects it.
        event.preventDefault()
        told(async () => {
          told(undefined)
          await event.prompt()
        })
      }
      const done = () => told(undefined)
      window.addEventListener('beforeinstallprompt', offer)
      window.addEventListener('appinstalled', done)
      return () => {
        window.removeEventListener('beforeinstallprompt', offer)
        window.removeEventListener('appinstalled', done)
      }
    },
  }
}
