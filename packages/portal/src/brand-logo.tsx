import { Logo } from '@gatehouse/ui/layout/logo.tsx'
import type { PageLogo } from '@gatehouse/wire/page-props'
import { createContext, useContext } from 'react'
import { drawnLogo, pageLogo } from './page-logo.tsx'

/** The server provides each page's logo; in the browser it is in the page's head. */
export const LogoContext = createContext<PageLogo | undefined>('document' in globalThis ? pageLogo() : undefined)

/** The operator's logo, or Gatehouse's. */
export const BrandLogo = () => <Logo replacement={drawnLogo(useContext(LogoContext))} />
