import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as audit from '../audit/audit.store.ts'
import { readConfig } from '../config/config.ts'
import { checkFile } from '../db/backup-file.ts'
import { type Copied, copyRows } from '../db/copy.ts'
import { inspectDatabase, nameOfDatabase, openForLongWork } from '../db/open.ts'
import { reasonOf } from '../doctor/finding.ts'
import type { Call } from './command.ts'
import { prepareTables, refuseFilled, refuseRunningServers } from './database-place.ts'
import { UsageError } from './usage-error.ts'

/**
 * Tables whose rows a restore leaves out: sessions, tickets, links and other short-lived rows. Users may have ended these since the backup.
 * The queued mail has been sent since then, or contains a link that no longer works.
 */
const ended = [
  'sessions',
  'tickets',
  'hand_overs',
  'mail_links',
  'challenges',
  'push_waits',
  'push_wakes',
  'push_nonces',
  'push_enrolments',
  'sso_journeys',
  'return_addresses',
  'outbox',
]

/** Puts a backup into an empty database. */
export const restore = async ({ args: [name = ''], write, data }: Call) => {
  const { dataDir, databaseUrl } = readConfig(process.env)
  const file = resolve(name)
  if (!existsSync(file)) throw new UsageError(`${file} does not exist.`)
  const copy = join(dataDir, 'restoring.sqlite')
  const removeCopy = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${end}`, { force: true })
  }
  removeCopy()
  try {
    // Leave the backup unchanged: update the tables of a copy.
    copyFileSync(file, copy)
    await refuseOtherFiles(file, copy)
    await prepareTables(`sqlite:${copy}`)
    await prepareTables(databaseUrl)
    const [from, to] = [await openForLongWork(`sqlite:${copy}`), await openForLongWork(databaseUrl)]
    let release = () => {}
    try {
      release = await refuseRunningServers(databaseUrl, to.db)
      const newest = await audit.newestAt(from.db)
      const backupOf = newest === undefined ? 'no history' : new Date(newest).toISOString()
      const copied = await copyRows(
        from,
        {
          db: to.db,
          check: tx => refuseFilled(databaseUrl, tx),
          finish: (tx, done) => {
            const result = `backup of ${backupOf}: ${sum(done)} rows` as const
            return audit.record(tx, { event: 'backup-restored', result, actor: 'cli', target: null, now: Date.now() }, undefined)
          },
        },
        ended,
      )
      write(`Restored ${sum(copied)} rows of ${copied.size} tables to ${nameOfDatabase(databaseUrl)}.`)
      write(newest === undefined ? 'The backup has no history.' : `The newest entry of its history is of ${backupOf}.`)
      write('Every session, ticket and mailed link has ended, and queued mail was dropped. Users sign in again.')
      write(warning)
      data({
        database: nameOfDatabase(databaseUrl),
        newest: newest === undefined ? null : backupOf,
        ended,
        rows: Object.fromEntries(copied),
      })
    } finally {
      release()
      await Promise.all([from.db.destroy(), to.db.destroy()])
    }
  } finally {
    removeCopy()
  }
}

const sum = (rows: Copied) => [...rows.values()].reduce((all, count) => all + count, 0)

const warning =
  'Warning: what was revoked after the backup works again: old passwords, removed second factors and passkeys, deleted users, unlinked providers, ended passes, used recovery codes. Repeat what was done since the backup, above all for stolen accounts: user force-reset, user reset-factor, user delete.'

/** Refuses a file that is not a backup: `prepareTables` would turn it into an empty installation. */
const refuseOtherFiles = async (file: string, copy: string) => {
  const refuse = (why: string) =>
    new UsageError(`${file} is not a backup that can be restored: ${why.replaceAll(copy, file)}. Nothing was changed.`)
  const opened = await inspectDatabase(`sqlite:${copy}`).catch((error: unknown) => {
    throw refuse(reasonOf(error).replace(/\.$/, ''))
  })
  try {
    await checkFile(opened.db).catch((error: unknown) => {
      throw refuse(reasonOf(error))
    })
    if (opened.waiting.includes('0001-sign-in')) throw refuse('it has no tables of Gatehouse')
  } finally {
    await opened.close()
  }
}
