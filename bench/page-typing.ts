import type { Browser, CDPSession } from '@playwright/test'
import { type Served, visit } from './page-visit.ts'

/** How many characters were typed during a load, and how many of them were lost. */
export type Typing = { typed: number; lost: number }

const everyMs = 10
/** On a busy machine, a page needs more than 10 ms for each key. Without a limit, it would never be idle. */
const mostKeys = 500
const letters = 'abcdefghij'

/**
 * Types a key every 10 ms on the slow profile, from when the field appears until the page is idle, but at most 500 keys. Like a
 * user, it does not wait for the keys to arrive.
 */
export const typeThrough = async (browser: Browser, target: Served): Promise<Typing> => {
  const keys: Promise<unknown>[] = []
  let typed = ''
  let timer: ReturnType<typeof setInterval> | undefined
  const press = (client: CDPSession) => {
    if (typed.length === mostKeys) return clearInterval(timer)
    const key = letters[typed.length % letters.length] ?? ''
    typed += key
    keys.push(client.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, key }))
    keys.push(client.send('Input.dispatchKeyEvent', { type: 'keyUp', key }))
  }
  try {
    const opened = await visit(browser, target, 'slow', {
      untilKept: false,
      onWanted: client => {
        timer ??= setInterval(() => press(client), everyMs)
      },
    })
    await opened.settle()
    clearInterval(timer)
    await Promise.all(keys)
    // Wait for the probe's next frame, which reads the field.
    await new Promise(resolve => setTimeout(resolve, 200))
    const { value } = await opened.look()
    await opened.close()
    return { typed: typed.length, lost: value === typed ? 0 : Math.max(1, typed.length - value.length) }
  } finally {
    // After a failed visit, a key press on the closed page would end the process and hide the failure.
    clearInterval(timer)
  }
}
