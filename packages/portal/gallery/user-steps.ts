import { inLanguage } from './language.ts'

// Steps of a user on a page, named in English. Each step waits until it is possible.

const patienceMs = 5000

/** Tries again every 16 ms until there is a result. */
const until = async <T>(what: string, look: () => T | undefined): Promise<T> => {
  const start = performance.now()
  while (performance.now() - start < patienceMs) {
    const found = look()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 16))
  }
  throw new Error(`the gallery did not find ${what}`)
}

/** Removes the direction marks around values. The closing mark would keep the beginning of a value from matching. */
const bare = (words: string) => words.replace(/[\u2068\u2069]/g, '').trim()

const named = (name: string) => {
  const names = inLanguage(name, false).map(bare)
  return (element: Element) => {
    const own = bare(element.getAttribute('aria-label') ?? element.textContent ?? '')
    return names.some(one => own.startsWith(one))
  }
}

const field = (label: string) =>
  until(`a field '${label}'`, () => {
    const found = [...document.querySelectorAll('label')].find(named(label))
    return found?.control instanceof HTMLInputElement ? found.control : undefined
  })

/** Types into a field in a way that React notices. */
export const fill = async (label: string, text: string) => {
  const input = await field(label)
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Clicks the element with this name. With an open dialog, only inside the dialog. */
export const click = async (name: string) => {
  const found = await until(`a button '${name}'`, () => {
    const place = document.querySelector('dialog[open]') ?? document
    return [...place.querySelectorAll<HTMLElement>('button:enabled, a, summary')].find(named(name))
  })
  found.click()
}

/** Waits until the page contains the text. */
export const see = async (text: string) => {
  const texts = inLanguage(text, true).map(bare)
  await until(`the text '${text}'`, () => (texts.some(one => bare(document.body.textContent ?? '').includes(one)) ? true : undefined))
}

/** Chooses an option of a list in a way that React notices. */
export const choose = async (label: string, value: string) => {
  const list = await until(`a list '${label}'`, () => {
    const found = [...document.querySelectorAll('label')].find(named(label))
    return found?.control instanceof HTMLSelectElement ? found.control : undefined
  })
  list.value = value
  list.dispatchEvent(new Event('change', { bubbles: true }))
}
