import { createContext } from 'react'
import type { BaseMessages } from './messages/language-messages.ts'
import type * as LazyPages from './pages/lazy-pages.tsx'

/** All pages but the login page, and their texts. */
export type LaterPages = { pages: typeof LazyPages; texts: BaseMessages }

/** The later pages, if they came with the page. Otherwise they load after the login page. */
export const PreloadedPages = createContext<LaterPages | undefined>(undefined)
