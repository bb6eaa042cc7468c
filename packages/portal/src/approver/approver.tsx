import { createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { createApproverApi } from './approver-api.ts'
import { ApproverPage } from './approver-page.tsx'
import { readEnrolmentFragment } from './enrolment-link.ts'
import { openPhoneAccounts } from './phone-accounts.ts'
import { thisPhone } from './phone-device.ts'
import '../page.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('the approver came without its root')
const base = basePath()
const { hash, origin, pathname } = window.location
// At once: the address bar, the history and whoever looks over a shoulder have no use for the token.
if (hash) window.history.replaceState(null, '', pathname)
// A second link that is opened in the same window changes the fragment and loads nothing.
window.addEventListener('hashchange', () => window.location.reload())

if ('serviceWorker' in navigator) {
  // Without it nobody is woken and nothing is there offline; all else works.
  navigator.serviceWorker.register(`${base}/approve-worker.js`, { scope: `${base}/approve` }).catch(() => {})
}

hydrateRoot(
  root,
  <ApproverPage
    link={readEnrolmentFragment(hash)}
    address={origin + pathname}
    api={createApproverApi(createConfig({ basePath: base }))}
    device={thisPhone()}
    isSecure={window.isSecureContext}
    openAccounts={openPhoneAccounts}
  />,
)
