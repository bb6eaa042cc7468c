import { resolve } from 'node:path'

/** The modules of the package, by the names of their entries. */
export const packageEntries = Object.fromEntries(
  Object.entries({
    index: 'index.ts',
    messages: 'messages/index.ts',
    headless: 'headless/index.ts',
    session: 'session/session.ts',
    element: 'element/index.ts',
  }).map(([name, file]) => [name, resolve(import.meta.dirname, 'src', file)]),
)
