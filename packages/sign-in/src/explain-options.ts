// Hints for developers without TypeScript. Pages load them only after a mistake.

import { logError } from './log.ts'

const hints = {
  logo: (text: string) => `{ src: '${text}', alt: '…' } for an image, { name: '…' } for another name, or an element`,
  accent: (text: string) => `deriveAccent('${text}')`,
}

const logged = new Set<string>()

/** Logs, once per text, what to pass to the option instead of a text. */
export const explainTexts = (options: { [Name in keyof typeof hints]: unknown }): void => {
  for (const name of ['logo', 'accent'] as const) {
    const text = options[name]
    if (typeof text !== 'string' || logged.has(name + text)) continue
    logged.add(name + text)
    logError(`options.${name} is the text '${text}'; pass ${hints[name](text)}`)
  }
}
