import { createConfig } from '@gatehouse/sign-in'
import { createPortalApi } from '../calls/portal-api.ts'

/** The calls of a tab with the sign-in page. Separate, because most tabs never make one, and their shapes are large. */
export const createTabCalls = (basePath: string) => createPortalApi(createConfig({ basePath }))
