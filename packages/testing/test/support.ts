import { onTestFinished } from 'vitest'
import { type GatehouseOptions, startGatehouse } from '../src/index.ts'

/** A server that ends with the test. */
export const start = async (options: GatehouseOptions = {}) => {
  const gatehouse = await startGatehouse(options)
  onTestFinished(() => gatehouse.stop())
  return gatehouse
}

/** The status of the account page, which redirects visitors. */
export const accountStatus = async (url: string, headers: Record<string, string>) =>
  (await fetch(`${url}/account`, { headers, redirect: 'manual' })).status
