import { createContext } from 'react'
import type * as LazyPages from './pages/lazy-pages.tsx'

/** The module of all pages but the login page, if it came with the page. Otherwise it loads after the login page. */
export const PreloadedPages = createContext<typeof LazyPages | undefined>(undefined)
