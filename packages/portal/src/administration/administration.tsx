import { createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { speakPage } from '../messages/load-texts.ts'
import { createPasskeyAccess } from '../passkeys/passkey-access.ts'
import { serverProps } from '../server-props.ts'
import { createAdministrationApi } from './administration-api.ts'
import { AdministrationPage, isAdministrationProps } from './administration-page.tsx'
import { routeOf } from './route.ts'
import '../page.css'

// Hydrates the administration page. The server renders only its frame.
const root = document.getElementById('root')
if (!root) throw new TypeError('the administration page came without its root')
const props = serverProps(isAdministrationProps)
const config = createConfig({ basePath: props.base })
const api = createAdministrationApi(config)
const passkeys = createPasskeyAccess(config)
const addresses = {
  read: () => routeOf(window.location.pathname, window.location.search),
  push: (address: string) => {
    window.history.pushState(null, '', address)
    window.scrollTo(0, 0)
  },
  replace: (address: string) => window.history.replaceState(null, '', address),
  listen: (listener: () => void) => {
    window.addEventListener('popstate', listener)
    return () => window.removeEventListener('popstate', listener)
  },
}
const visit = (location: string) => window.location.assign(location)
await speakPage('administration')
hydrateRoot(root, <AdministrationPage {...props} api={api} passkeys={passkeys} addresses={addresses} visit={visit} />)

// The back button must not show the page again after a sign-out.
window.addEventListener('pageshow', event => {
  if (event.persisted) window.location.reload()
})
