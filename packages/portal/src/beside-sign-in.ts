import { createConfig, createPortalApi } from '@gatehouse/sign-in'
import { basePath } from './base-path.ts'
import { startSignInTab } from './sign-in-tab.ts'
import { forgetErrorInTitle } from './title.ts'

// What the sign-in page can do without until it can be used.
forgetErrorInTitle()
const base = basePath()
startSignInTab({ api: createPortalApi(createConfig({ basePath: base })), base, goOn: () => window.location.reload() })
