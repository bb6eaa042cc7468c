import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Tables } from '../db/schema.ts'
import { readPushKeys } from '../factors/push/push-keys.store.ts'
import type { Keyring } from '../keys/keyring.ts'
import { ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('devices')

/** Checks that the configured push notification servers respond. */
export const examinePushServers = async ({ pushServers: { ntfy, gotify } }: Config): Promise<Finding[]> => {
  const servers = [
    ...(ntfy === undefined ? [] : [{ name: 'ntfy', url: ntfy, health: `${ntfy}/v1/health` }]),
    ...(gotify === undefined ? [] : [{ name: 'Gotify', url: gotify.url, health: `${gotify.url}/health` }]),
  ]
  if (servers.length === 0)
    return [ok('Web Push is the only push notification channel. To add others, set GATEHOUSE_NTFY_URL or GATEHOUSE_GOTIFY_URL.')]
  return Promise.all(servers.map(examineServer))
}

const examineServer = async ({ name, url, health }: { name: string; url: string; health: string }): Promise<Finding> => {
  try {
    const { status } = await ask(health)
    return status === 200
      ? ok(`${name} answers at ${url}.`)
      : warning(`The health check of ${name} at ${url} returns ${status}. Until that is fixed, ${name} sends no push notifications.`)
  } catch (error) {
    return warning(`${name} cannot be reached at ${url}: ${reasonOf(error)}. Users who open the approver still see pending requests.`)
  }
}

/** Checks that the key of the push subscriptions can be decrypted. */
export const examinePushKeys = async (db: Kysely<Tables>, keyring: Keyring): Promise<Finding> => {
  const keys = await readPushKeys(db, keyring)
  if (!keys) return ok('No Web Push key exists yet. The first start creates one.')
  return keys.privateKey === undefined
    ? problem(
        'The Web Push key is encrypted with a master key that is missing here, so no device gets notifications by Web Push. Put that master key back, after the others.',
      )
    : ok('The Web Push key can be decrypted.')
}
