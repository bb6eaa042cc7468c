import { createConfig, createPortalApi } from '@gatehouse/sign-in'

/** What a tab with the sign-in page asks the server. Apart, for most tabs never ask anything, and the shapes of answers are large. */
export const createTabCalls = (basePath: string) => createPortalApi(createConfig({ basePath }))
