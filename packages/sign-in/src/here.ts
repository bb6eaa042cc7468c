import { createContext } from 'react'

/** Code that is loaded later elsewhere and has come with this page: a page that was rendered with it is hydrated with it. */
export const Here = createContext<{
  laterPages?: typeof import('./pages/later-pages.tsx') | undefined
  approval?: typeof import('./pages/approve-on-phone/approve-on-phone.tsx') | undefined
  qrCode?: typeof import('@gatehouse/ui/qr-code/qr-code.tsx') | undefined
}>({})
