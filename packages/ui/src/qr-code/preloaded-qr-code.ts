import { createContext } from 'react'
import type * as QrCodeModule from './qr-code.tsx'

/** The module that draws QR codes, if it came with the page. Otherwise it loads when a page needs it. */
export const PreloadedQrCode = createContext<typeof QrCodeModule | undefined>(undefined)
