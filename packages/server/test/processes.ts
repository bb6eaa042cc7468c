import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const source = join(import.meta.dirname, '../src')

/** The environment of a fresh machine: what is needed to run, and no setting of ours. */
const environment = (env: Record<string, string>) => ({ PATH: process.env.PATH ?? '', ...env })

export const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-process-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the command line to its end. */
export const runCli = async (dataDir: string, args: string[], input = '') => {
  const child = spawn(process.execPath, [join(source, 'cli.ts'), ...args], { env: environment({ GATEHOUSE_DATA_DIR: dataDir }) })
  child.stdin.end(input)
  return finished(child)
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

/** Starts a server process. It is killed with the test, if it has not ended before. */
export const startProcess = (env: Record<string, string>) => {
  const child = spawn(process.execPath, [join(source, 'main.ts')], { env: environment(env) })
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

/** A port nobody listens on at this moment. */
export const freePort = async () => {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
