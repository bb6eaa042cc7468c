import { createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { serverProps } from '../server-props.ts'
import { createAdministrationApi } from './administration-api.ts'
import { AdministrationPage, isAdministrationProps } from './administration-page.tsx'
import { placeOf } from './route.ts'
import '../page.css'

// Wakes the administration page, whose frame the server rendered.
const root = document.getElementById('root')
if (!root) throw new TypeError('the administration page came without its root')
const props = serverProps(isAdministrationProps)
const api = createAdministrationApi(createConfig({ basePath: props.base }))
const addresses = {
  read: () => placeOf(window.location.pathname, window.location.search),
  push: (address: string) => {
    window.history.pushState(null, '', address)
    window.scrollTo(0, 0)
  },
  listen: (moved: () => void) => {
    window.addEventListener('popstate', moved)
    return () => window.removeEventListener('popstate', moved)
  },
}
const visit = (location: string) => window.location.assign(location)
hydrateRoot(root, <AdministrationPage {...props} api={api} addresses={addresses} visit={visit} />)

// The back button after a sign-out must not bring the page back as it was.
window.addEventListener('pageshow', event => {
  if (event.persisted) window.location.reload()
})
