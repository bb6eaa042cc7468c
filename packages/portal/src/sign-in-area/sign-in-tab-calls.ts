import { createConfig } from '@gatehouse/sign-in'
import { createPortalApi } from '../calls/portal-api.ts'

/** What a tab with the sign-in page asks the server. Apart, for most tabs never ask anything, and the shapes of answers are large. */
export const createTabCalls = (basePath: string) => createPortalApi(createConfig({ basePath }))
