import type { Config } from '../config/config.ts'
import { ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const keys = about('identity keys')
const outage = about('outage grace')

/** Checks that applications can load the keys with which they verify the signed identity. They do so at the public address. */
export const examineIdentityKeys = async ({ publicUrl: { origin, path } }: Config): Promise<Finding> => {
  const address = `${origin}${path}/.well-known/jwks.json`
  const advice = 'Configure the proxy to forward this path to Gatehouse; otherwise applications cannot verify Gatehouse-Assertion.'
  try {
    const { status, body } = await ask(address)
    const count = status === 200 ? countKeys(body) : 0
    if (count > 0) return keys.ok(`${address} has ${count === 1 ? 'the key' : `${count} keys`} for the signed identity.`)
    return keys.warning(`${address} answers ${status} without a key for the signed identity. ${advice}`)
  } catch (error) {
    return keys.warning(`${address} does not answer: ${reasonOf(error)}. ${advice}`)
  }
}

const countKeys = (body: string): number => {
  try {
    const { keys }: { keys?: unknown } = JSON.parse(body)
    return Array.isArray(keys) ? keys.length : 0
  } catch {
    return 0
  }
}

/** Reports which checks pass while the database is unreachable. */
export const examineOutageGrace = ({ outageGrace }: Config): Finding[] =>
  outageGrace > 0
    ? [
        outage.ok(
          `While PostgreSQL is unreachable, checks of recently used sessions pass for up to ${outageGrace / 1000} seconds (GATEHOUSE_OUTAGE_GRACE).`,
        ),
      ]
    : []
