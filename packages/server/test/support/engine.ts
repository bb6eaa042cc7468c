import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL server of this test run; empty on SQLite. */
    postgres: string
    /** A SQLite file with our tables, to copy; empty on PostgreSQL. */
    sqlite: string
  }
}

/**
 * Creates a database for one test on this run's engine. `env` configures it and `drop` deletes it.
 * @param folder data folder of a server that expects migrated tables; without it, the server's first start creates them
 */
export const makeDatabase = async (folder?: string): Promise<{ env: Record<string, string>; drop: () => Promise<void> }> => {
  const server = inject('postgres')
  if (!server) {
    if (folder !== undefined) await copyFile(inject('sqlite'), join(folder, 'gatehouse.sqlite'))
    return { env: {}, drop: async () => {} }
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name} template gatehouse_template strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { env: { GATEHOUSE_DATABASE_URL: url.href }, drop: () => run(server, `drop database ${name} with (force)`) }
}

/** Creates a database without tables on this run's engine. */
export const makeEmptyDatabase = async (folder: string): Promise<{ url: string; drop: () => Promise<void> }> => {
  const server = inject('postgres')
  if (!server) return { url: `sqlite:${join(folder, 'empty.sqlite')}`, drop: async () => {} }
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name} template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) }
}

/**
 * Returns the URL of a copy of a database. On PostgreSQL it creates the copy; no server may be connected. On SQLite the caller has copied
 * the files already.
 * @param folder contains the SQLite file
 * @param copy contains the caller's copy of that folder
 */
export const copyDatabase = async (url: string, folder: string, copy: string): Promise<{ url: string; drop: () => Promise<void> }> => {
  const server = inject('postgres')
  if (!server) return { url: url.replace(folder, copy), drop: async () => {} }
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name} template ${new URL(url).pathname.slice(1)}`)
  const target = new URL(url)
  target.pathname = `/${name}`
  return { url: target.href, drop: () => run(server, `drop database ${name} with (force)`) }
}

/** One connection in each worker, because opening one takes as long as creating a database. It ends with the worker. */
let connection: Promise<pg.Client> | undefined

const run = async (server: string, statement: string) => {
  connection ??= connect(server)
  const client = await connection
  await client.query(statement)
}

const connect = async (server: string) => {
  const client = new pg.Client(server)
  client.on('error', () => {
    connection = undefined
  })
  await client.connect()
  return client
}
