import type { PageLogo } from '@gatehouse/wire/page-props'

/** The operator's logo from the page's head, if it is not Gatehouse's. */
export const pageLogo = (): PageLogo | undefined =>
  JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=gatehouse-logo]')?.content ?? 'null') ?? undefined

/** The logo as the components take it. The page's style sheet draws a picture (`.brand-logo`). */
export const drawnLogo = (logo: PageLogo | undefined) =>
  logo?.isPicture ? <span className="brand-logo" role="img" aria-label={logo.name} /> : logo
