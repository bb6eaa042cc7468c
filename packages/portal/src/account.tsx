import { createApi, createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { AccountPage, isAccountProps } from './account-page.tsx'

/** Wakes the account page that the server rendered, with the properties it left beside it. */
export const hydrateAccount = (root: HTMLElement, basePath: string) => {
  const props: unknown = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? 'null')
  if (!isAccountProps(props)) throw new TypeError('the account page came without its properties')
  const api = createApi(createConfig({ basePath }))
  hydrateRoot(root, <AccountPage {...props} api={api} leave={() => window.location.assign(`${basePath}/`)} />)

  // The back button after a sign-out must not bring the page back as it was.
  window.addEventListener('pageshow', event => {
    if (event.persisted) window.location.reload()
  })
}
