import type { Reply } from '@gatehouse/sign-in'
import type { ErrorCode } from '@gatehouse/wire'
import { vi } from 'vitest'
import { adas, now } from './own-account.ts'

/** jsdom can't show dialogs. Browser tests cover what browsers do with them. */
export const stubDialogs = () => {
  HTMLDialogElement.prototype.showModal = vi.fn(function (this: HTMLDialogElement) {
    this.open = true
  })
  HTMLDialogElement.prototype.close = vi.fn(function (this: HTMLDialogElement) {
    this.open = false
  })
}

export const never = () => new Promise<never>(() => {})
export const done = <T>(value: T): Promise<Reply<T>> => Promise.resolve({ ok: true, value })
export const refused = (status: number, message: string, code?: ErrorCode, value?: string) =>
  Promise.resolve<Reply<never>>({
    ok: false,
    failure: { is: 'refused', message, detail: '', status, ...(code && { code }), ...(value !== undefined && { value }) },
  })
export const refusal = (status: number, message: string) => () => refused(status, message)
/** The reply to a call that requires a more recent sign-in. */
export const stale = () => refused(403, 'sign in again', 'ReauthenticationRequired')

const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
]
export const page = { account: adas, base: '', now, languages, visit: () => {}, leave: () => {}, save: () => {}, print: () => {} }

export const dialog = () => document.querySelector('dialog')
