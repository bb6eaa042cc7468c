import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Tables } from '../db/schema.ts'
import type { Keyring } from '../keyring.ts'
import { readPushKeys } from '../push-keys.ts'
import { ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('devices')

/** Whether the servers that wake devices can be reached, where there are any. */
export const examineWakeServers = async ({ wakeServers: { ntfy, gotify } }: Config): Promise<Finding[]> => {
  const servers = [
    ...(ntfy === undefined ? [] : [{ name: 'ntfy', url: ntfy, health: `${ntfy}/v1/health` }]),
    ...(gotify === undefined ? [] : [{ name: 'Gotify', url: gotify.url, health: `${gotify.url}/health` }]),
  ]
  if (servers.length === 0) return [ok('They are woken by Web Push alone. Others: GATEHOUSE_NTFY_URL, GATEHOUSE_GOTIFY_URL.')]
  return Promise.all(servers.map(examineServer))
}

const examineServer = async ({ name, url, health }: { name: string; url: string; health: string }): Promise<Finding> => {
  try {
    const { status } = await ask(health)
    return status === 200
      ? ok(`${name} answers at ${url}.`)
      : warning(`${name} at ${url} says of its health ${status}. Devices are not woken by it until that is mended.`)
  } catch (error) {
    return warning(`${name} cannot be reached at ${url}: ${reasonOf(error)}. Who opens the approver sees what is pending all the same.`)
  }
}

/** Whether push services can be spoken to by the key that devices were subscribed with. */
export const examinePushKeys = async (db: Kysely<Tables>, keyring: Keyring): Promise<Finding> => {
  const keys = await readPushKeys(db, keyring)
  if (!keys) return ok('There is no key for Web Push yet; the first start makes one.')
  return keys.privateKey === undefined
    ? problem(
        'The key for Web Push is sealed with a master key that is not here: no device is woken by it. Put that key back, behind the others.',
      )
    : ok('The key for Web Push can be read.')
}
