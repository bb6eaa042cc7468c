import { createApi, createConfig, createPortalApi } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { AccountPage, isAccountProps } from './account-page.tsx'
import { basePath } from './base-path.ts'
import { serverProps } from './server-props.ts'
import './page.css'

// Wakes the account page that the server rendered, with the properties it left beside it.
const root = document.getElementById('root')
if (!root) throw new TypeError('the account page came without its root')
const props = serverProps(isAccountProps)
const base = basePath()
const config = createConfig({ basePath: base })
const api = { ...createApi(config), ...createPortalApi(config) }
const visit = (location: string) => window.location.assign(location)
hydrateRoot(root, <AccountPage {...props} api={api} visit={visit} leave={() => visit(`${base}/`)} />)

// The back button after a sign-out must not bring the page back as it was.
window.addEventListener('pageshow', event => {
  if (event.persisted) window.location.reload()
})
