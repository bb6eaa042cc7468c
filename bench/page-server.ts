import { execFileSync, fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { killAtExit } from './at-exit.ts'

/** What the server offers on one port: files with replies to calls, or a proxy to another server. */
export type Site = { port: number } & ({ folder: string; calls: string | undefined; headers?: Record<string, string> } | { origin: string })

/** The first message to the server process. */
export type Serving = { sites: readonly Site[]; key: string; cert: string }

const folder = join(import.meta.dirname, '../.tools/peers/page/certificate')

/** A self-signed certificate for localhost. Browsers support HTTP/2 only over TLS. */
const certificate = () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  if (!existsSync(cert)) {
    mkdirSync(folder, { recursive: true })
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650']
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    try {
      execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    } catch (cause) {
      throw new Error('The benchmark needs `openssl` to create a certificate for localhost', { cause })
    }
  }
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

/** Serves the sites in a separate process, so that it does not slow down the measuring process. Returns a function that stops it. */
export const serveSites = async (sites: readonly Site[]) => {
  const child = fork(join(import.meta.dirname, 'page-sites.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  killAtExit(child)
  const serving: Serving = { sites, ...certificate() }
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`The page server exited with code ${code}`)))
    child.send(serving)
  })
  return { stop: () => child.kill() }
}
