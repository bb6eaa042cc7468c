import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { type Copied, copyRows, countRows, listTablesToCopy } from './copy.ts'
import { inspectDatabase, openDatabase, openForLongWork, sqliteFile } from './open.ts'
import type { Tables } from './schema.ts'

/** Where an unfinished backup is. */
const partOf = (file: string) => `${file}.part`

const removePart = (file: string) => {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}

/**
 * Writes a consistent copy of a database that servers may be using into one SQLite file, whichever engine the database has.
 * @param verify reads the finished copy. If it throws, no backup is created
 * @throws if the file exists
 */
export const writeBackupFile = async (url: string, file: string, verify: (db: Kysely<Tables>) => Promise<void>): Promise<Copied> => {
  const part = partOf(file)
  removePart(part)
  try {
    const source = sqliteFile(url)
    if (source) vacuumInto(source, part)
    else await copyInto(url, part)
    const copied = await readBackup(part, verify)
    toSingleFile(part)
    // Creating a hard link fails if the name is taken. A rename would replace an older backup.
    linkSync(part, file)
    return copied
  } finally {
    removePart(part)
  }
}

/** SQLite copies in one read transaction. Servers can write meanwhile, because of the WAL. */
const vacuumInto = (source: string, part: string) => {
  const db = new DatabaseSync(source, { readOnly: true, timeout: 5000 })
  try {
    db.prepare('vacuum into ?').run(part)
  } finally {
    db.close()
  }
}

const copyInto = async (url: string, part: string) => {
  const target = `sqlite:${part}`
  const { close } = await openDatabase(target)
  await close()
  const [from, to] = [await openForLongWork(url), await openForLongWork(target)]
  try {
    await copyRows(from, { db: to.db, check: async () => {} })
  } finally {
    await Promise.all([from.db.destroy(), to.db.destroy()])
  }
}

/** Opens a backup as a server would, without changing its tables, and counts its rows. */
const readBackup = async (part: string, verify: (db: Kysely<Tables>) => Promise<void>): Promise<Copied> => {
  const { db, close } = await inspectDatabase(`sqlite:${part}`)
  try {
    await checkFile(db)
    await verify(db)
    const counts = new Map<string, number>()
    for (const table of await listTablesToCopy(db)) counts.set(table, await countRows(db, table))
    return counts
  } finally {
    await close()
  }
}

/** @throws if SQLite finds damage in the file */
export const checkFile = async (db: Kysely<Tables>): Promise<void> => {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  if (rows[0]?.integrity_check !== 'ok') throw new Error(`the file is damaged (${rows[0]?.integrity_check})`)
}

/** Moves the content of the WAL into the file itself, and syncs the file to the disk. */
const toSingleFile = (part: string) => {
  const db = new DatabaseSync(part)
  try {
    db.exec('pragma journal_mode = delete')
  } finally {
    db.close()
  }
  const handle = openSync(part, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
