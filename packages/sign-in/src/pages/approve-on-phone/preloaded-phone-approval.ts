import { createContext } from 'react'
import type * as PhoneApproval from './approve-on-phone.tsx'

/** The module for phone approval, if it came with the page. Otherwise it loads when a page needs it. */
export const PreloadedPhoneApproval = createContext<typeof PhoneApproval | undefined>(undefined)
