import { loadTexts as loadAccount } from 'gatehouse:texts/account'
import { loadTexts as loadAdministration } from 'gatehouse:texts/administration'
import { loadTexts as loadApprover } from 'gatehouse:texts/approver'
import { loadTexts as loadPortal } from 'gatehouse:texts/portal'
import { loadTexts as loadSignIn } from 'gatehouse:texts/signIn'
import type { PageName } from '@gatehouse/wire/page-props'
import { speak, type Texts } from './current.ts'

const loaders: Record<keyof Texts, (tag: string) => Promise<Partial<Texts>>> = {
  signIn: async tag => ({ signIn: await loadSignIn(tag) }),
  portal: async tag => ({ portal: await loadPortal(tag) }),
  account: async tag => ({ account: await loadAccount(tag) }),
  administration: async tag => ({ administration: await loadAdministration(tag) }),
  approver: async tag => ({ approver: await loadApprover(tag) }),
}

const mailLink = ['portal', 'signIn'] as const

/** The parts that each page's script loads. The server preloads them. */
export const partsOf: Readonly<Record<PageName, readonly (keyof Texts)[]>> = {
  // The sign-in page contains its first texts.
  index: [],
  area: ['signIn'],
  account: ['portal', 'account', 'signIn'],
  administration: ['portal', 'account', 'signIn', 'administration'],
  approve: ['portal', 'signIn', 'approver'],
  'one-time-link': mailLink,
  'new-password': mailLink,
  'new-factor': mailLink,
  'confirm-email': mailLink,
  'recovery-codes': mailLink,
  mailbox: [],
  misconfiguration: [],
  languages: [],
  notice: [],
}

const loadTexts = async (tag: string, parts: readonly (keyof Texts)[]): Promise<Partial<Texts>> => {
  const texts: Partial<Texts> = {}
  for (const part of await Promise.all(parts.map(part => loaders[part](tag)))) Object.assign(texts, part)
  return texts
}

/** Loads every part, for the server. */
export const loadAllTexts = (tag: string) => loadTexts(tag, ['signIn', 'portal', 'account', 'administration', 'approver'])

/**
 * Loads a page's texts in the language of the document, in which the server rendered the page. Call this before hydration, so that the
 * browser renders the same texts as the server.
 */
export const speakPage = async (page: PageName) => {
  const tag = document.documentElement.lang
  speak(tag, await untilLoaded(() => loadTexts(tag, partsOf[page])))
}

const longestWait = 30_000

/** Tries again until the load succeeds, and at once when the network is back. Until then, the buttons of the rendered page do nothing. */
export const untilLoaded = async <T>(load: () => Promise<T>): Promise<T> => {
  for (let wait = 1000; ; wait = Math.min(2 * wait, longestWait)) {
    try {
      return await load()
    } catch {
      await networkOr(wait)
    }
  }
}

const networkOr = (wait: number) =>
  new Promise<void>(resolve => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, wait)
    window.addEventListener('online', go)
  })
