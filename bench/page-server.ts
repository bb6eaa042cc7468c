import { execFileSync, fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { killAtExit } from './at-exit.ts'

/** What one port serves: files with answers to their calls, or what another server serves. */
export type Site = { port: number } & ({ folder: string; calls: string | undefined; headers?: Record<string, string> } | { origin: string })

/** What the serving process is told first. */
export type Serving = { sites: readonly Site[]; key: string; cert: string }

const folder = join(import.meta.dirname, '../.tools/peers/page/certificate')

/** A certificate for localhost, signed by itself: browsers speak HTTP/2 over TLS alone. */
const certificate = () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  if (!existsSync(cert)) {
    mkdirSync(folder, { recursive: true })
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650']
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    try {
      execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    } catch (cause) {
      throw new Error('The bench needs `openssl` in the path to make itself a certificate for localhost', { cause })
    }
  }
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

/** Serves the sites in a process of its own, so that it takes no time from who measures. @returns how to stop it */
export const serveSites = async (sites: readonly Site[]) => {
  const child = fork(join(import.meta.dirname, 'page-sites.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  killAtExit(child)
  const serving: Serving = { sites, ...certificate() }
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`The server of the pages ended with ${code}`)))
    child.send(serving)
  })
  return { stop: () => child.kill() }
}
