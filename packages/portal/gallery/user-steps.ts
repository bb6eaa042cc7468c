// Steps of a user on a page. Each step waits until it is possible.

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

const named = (name: string) => (element: Element) =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().startsWith(name)

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

/** Waits until the page contains a text. */
export const see = async (text: string) => {
  await until(`the text '${text}'`, () => (document.body.textContent?.includes(text) ? true : undefined))
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
