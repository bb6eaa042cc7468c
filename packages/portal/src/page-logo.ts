import type { PageLogo } from '@gatehouse/wire/page-props'

/** The operator's logo from the page's head, if it is not Gatehouse's. */
export const pageLogo = (): PageLogo | undefined =>
  JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=gatehouse-logo]')?.content ?? 'null') ?? undefined
