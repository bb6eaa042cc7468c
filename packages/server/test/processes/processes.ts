import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts'
import { makeDatabase } from '../support/engine.ts'
import { environment } from '../support/environment.ts'
import { freePort } from '../support/free-port.ts'
import { commandArguments, serverArguments } from '../support/program.ts'

/**
 * An installation for one test: a data folder, a database on this run's engine, and a port.
 * @param withoutTables whether the first start or command creates the tables on SQLite, which takes a third of its time
 */
export const makeInstallation = async ({ withoutTables = false } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-process-'))
  const database = await makeDatabase(withoutTables ? undefined : folder)
  onTestFinished(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const port = await freePort()
  const env: Record<string, string> = {
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
    GATEHOUSE_SECOND_FACTOR: 'off',
    GATEHOUSE_DRAIN: '0',
    // Lets clients choose their address, so the limits per address do not interfere.
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    ...database.env,
  }
  const databaseUrl = database.env.GATEHOUSE_DATABASE_URL ?? `sqlite:${folder}/gatehouse.sqlite`
  /** Opens the installation's database from outside the server. */
  const inDatabase = async <T>(work: (db: OpenDatabase['db']) => Promise<T>): Promise<T> => {
    const { db, close } = await openDatabase(databaseUrl)
    try {
      return await work(db)
    } finally {
      await close()
    }
  }
  return { env, port, inDatabase }
}

/** Runs a command to its end. */
export const runCli = async (env: Record<string, string>, args: string[], input = '', program = commandArguments) => {
  const child = spawn(process.execPath, [...program, ...args], { env: environment(env) })
  child.stdin.end(input)
  return finished(child)
}

/** Runs a command whose reader closes the pipe before the first line. */
export const runUnread = async (env: Record<string, string>, args: string[]) => {
  const child = spawn(process.execPath, [...commandArguments, ...args], { env: environment(env) })
  child.stdout.destroy()
  child.stdin.end()
  const { code, stderr } = await finished(child)
  return { code, stderr }
}

const collect = (child: ChildProcess) => {
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', chunk => (output.stdout += chunk))
  child.stderr?.on('data', chunk => (output.stderr += chunk))
  return output
}

const finished = (child: ChildProcess) => {
  const output = collect(child)
  return new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve =>
    child.on('close', code => resolve({ code, ...output })),
  )
}

/** Starts a server process, which is killed when the test ends. */
export const startProcess = (env: Record<string, string>, program = serverArguments) => {
  const child = spawn(process.execPath, program, { env: environment(env) })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const output = collect(child)
  const ended = new Promise<number | null>(resolve => child.on('close', code => resolve(code)))
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, url] = /Gatehouse is ready:\s+(\S+)\//.exec(output.stdout) ?? []
      if (url) resolve(url)
    })
    child.on('close', () => reject(new Error(`the server ended: ${output.stderr}`)))
  })
  ready.catch(() => {})
  return { child, output, ended, ready }
}
