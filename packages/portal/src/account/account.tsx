import { languages } from 'gatehouse:languages'
import { createApi, createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { createPortalApi } from '../calls/portal-api.ts'
import { speakPage } from '../messages/load-texts.ts'
import { createPasskeyAccess } from '../passkeys/passkey-access.ts'
import { saveFile } from '../save-file.ts'
import { serverProps } from '../server-props.ts'
import { openOtherTabs, whenSignedOutElsewhere } from '../sign-in-area/other-tabs.ts'
import { AccountPage, isAccountProps } from './account-page.tsx'
import '../page.css'

// Hydrates the account page with the props that the server rendered it from.
const root = document.getElementById('root')
if (!root) throw new TypeError('the account page came without its root')
const props = serverProps(isAccountProps)
const config = createConfig({ basePath: props.base })
const api = { ...createApi(config), ...createPortalApi(config) }
const passkeys = createPasskeyAccess(config)
const visit = (location: string) => window.location.assign(location)

const tabs = openOtherTabs()
const leave = () => {
  tabs.send({ type: 'signed-out' })
  visit(`${props.base}/`)
}
tabs.send({ type: 'signed-in' })
const toSignIn = () => visit(`${props.base}/`)
tabs.listen('signed-out', toSignIn)
whenSignedOutElsewhere(async () => {
  const reply = await api.sessionCheck()
  return reply.ok ? reply.value.signedIn : undefined
}, toSignIn)

await speakPage('account')
hydrateRoot(
  root,
  <AccountPage
    {...props}
    languages={languages}
    api={api}
    passkeys={passkeys}
    visit={visit}
    leave={leave}
    save={saveFile}
    print={() => window.print()}
  />,
)

// The back button must not show the page again after a sign-out.
window.addEventListener('pageshow', event => {
  if (event.persisted) window.location.reload()
})

// Tell the password manager about a changed address, and about passkeys that were removed in another browser.
if (props.account.mostPasskeys != null && props.account.factors.length > 0) setTimeout(() => void passkeys.tidy(), 2000)
