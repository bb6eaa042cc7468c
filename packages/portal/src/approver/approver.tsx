import { createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { speakPage } from '../messages/load-texts.ts'
import { createApproverApi } from './approver-api.ts'
import { ApproverPage } from './approver-page.tsx'
import { readEnrolmentFragment } from './enrolment-link.ts'
import { keepNotificationText } from './notification-text.ts'
import { openPhoneAccounts } from './phone-accounts.ts'
import { thisPhone } from './phone-device.ts'
import '../page.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('the approver came without its root')
const base = basePath()
const { hash, origin, pathname } = window.location
// Remove the token from the address bar and the history immediately.
if (hash) window.history.replaceState(null, '', pathname)
// Opening a second link in the same window changes only the fragment, without a load.
window.addEventListener('hashchange', () => window.location.reload())

if ('serviceWorker' in navigator) {
  // Without the worker there are no notifications and no offline page. Everything else works.
  navigator.serviceWorker.register(`${base}/approve-worker.js`, { scope: `${base}/approve` }).catch(() => {})
}

await speakPage('approve')
// Private windows may have no caches. Notifications are then in English.
if ('caches' in window) keepNotificationText(base).catch(() => {})
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
