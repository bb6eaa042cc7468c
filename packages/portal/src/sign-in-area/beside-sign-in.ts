import { basePath } from '../base-path.ts'
import type { PortalApi } from '../calls/portal-api.ts'
import { forgetErrorInTitle } from '../title.ts'
import { startSignInTab } from './sign-in-tab.ts'

// Code that the sign-in page needs only after it is usable.
forgetErrorInTitle()
// This attribute lets the operator's background image load.
document.documentElement.dataset.gatehouseLoaded = ''
const base = basePath()
const calls = async () => (await import('./sign-in-tab-calls.ts')).createTabCalls(base)

/** The reply if the code of the calls does not load. Like all other calls, these never reject. */
const unreachable = (cause: unknown) =>
  ({ ok: false, failure: { is: 'unreachable', message: 'Something went wrong', detail: `the page's own code: ${String(cause)}` } }) as const

const api: Pick<PortalApi, 'returnFragment' | 'sessionCheck'> = {
  returnFragment: (kept, signal) => calls().then(made => made.returnFragment(kept, signal), unreachable),
  sessionCheck: signal => calls().then(made => made.sessionCheck(signal), unreachable),
}
startSignInTab({ api, base, goOn: () => window.location.reload() })
