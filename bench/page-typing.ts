import type { Browser, CDPSession } from '@playwright/test'
import { type Served, visit } from './page-visit.ts'

/** What was typed into a page while it came, and how much of it was there in the end. */
export type Typing = { typed: number; lost: number }

const everyMs = 10
const letters = 'abcdefghij'

/**
 * Types into a target on the slow profile, a key every 10 ms, from the first moment there is a field to type into until the page has
 * come to rest; nobody waits for a key to have arrived, as no person does.
 */
export const typeThrough = async (browser: Browser, target: Served): Promise<Typing> => {
  const keys: Promise<unknown>[] = []
  let typed = ''
  let timer: ReturnType<typeof setInterval> | undefined
  const press = (client: CDPSession) => {
    const key = letters[typed.length % letters.length] ?? ''
    typed += key
    keys.push(client.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, key }))
    keys.push(client.send('Input.dispatchKeyEvent', { type: 'keyUp', key }))
  }
  const opened = await visit(browser, target, 'slow', {
    untilKept: false,
    onWanted: client => {
      timer ??= setInterval(() => press(client), everyMs)
    },
  })
  await opened.settle()
  clearInterval(timer)
  await Promise.all(keys)
  // A frame later the page has seen what is in the field now.
  await new Promise(resolve => setTimeout(resolve, 200))
  const { value } = await opened.look()
  await opened.close()
  return { typed: typed.length, lost: value === typed ? 0 : Math.max(1, typed.length - value.length) }
}
