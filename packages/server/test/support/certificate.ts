import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A self-signed certificate for this machine or for other names; `undefined` if `openssl` is not installed. */
export const makeCertificate = (days: number, names = 'IP:127.0.0.1') => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(days)]
  const name = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`]
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}
