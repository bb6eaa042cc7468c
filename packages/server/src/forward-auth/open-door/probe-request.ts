import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import { limits } from '../../limits.ts'
import { probeHeader } from './probe-token.ts'

/** The head of an answer, or why no answer arrived. `reason` is for the doctor, the log and the mail to administrators. */
export type ProbeAnswer =
  | {
      is: 'Answered'
      status: number
      location: string | undefined
      /** The value of the answer's probe header. */
      proof: string | undefined
      trouble: boolean
      certificate: { from: number; until: number } | undefined
    }
  | { is: 'Failed'; state: 'CertificateInvalid' | 'NameNotFound' | 'Unreachable'; reason: string }

/**
 * Error codes of Node's certificate verification:
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
const ofCertificates =
  /^(CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERROR_IN_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|SUBJECT_ISSUER_|AKID_|KEYUSAGE_)/

/**
 * Requests an address as a browser without cookies does. Follows no redirect, and reads no body. The address comes from the rules, so it
 * may be in a private network.
 */
export const requestProbe = (address: string, { token, publicUrl }: { token: string; publicUrl: string }): Promise<ProbeAnswer> =>
  new Promise(resolve => {
    const options: RequestOptions = {
      agent: false,
      signal: AbortSignal.timeout(limits.openDoor.patience),
      maxHeaderSize: limits.openDoor.headBytes,
      headers: {
        accept: 'text/html',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        'sec-fetch-site': 'none',
        'user-agent': `Gatehouse open-door alarm (${publicUrl})`,
        [probeHeader]: token,
      },
    }
    const take = (answer: IncomingMessage) => {
      resolve(readAnswer(answer))
      answer.on('error', () => {})
      answer.destroy()
    }
    const request = address.startsWith('https:')
      ? // Environment variables must not turn off the check of the certificate.
        https.get(address, { ...options, rejectUnauthorized: true }, take)
      : http.get(address, options, take)
    // An answer with status 101, although the request did not ask for an upgrade.
    request.on('upgrade', take)
    request.on('error', error => resolve(readFailure(error)))
  })

const readAnswer = ({ statusCode = 0, headers, socket }: IncomingMessage): ProbeAnswer => {
  const { location, [probeHeader]: proof } = headers
  return {
    is: 'Answered',
    status: statusCode,
    location,
    proof: typeof proof === 'string' ? proof : undefined,
    trouble: headers['gatehouse-trouble'] !== undefined,
    certificate: socket instanceof TLSSocket ? lifetimeOf(socket) : undefined,
  }
}

const lifetimeOf = (socket: TLSSocket) => {
  const { valid_from, valid_to } = socket.getPeerCertificate()
  return { from: Date.parse(valid_from), until: Date.parse(valid_to) }
}

const readFailure = (error: Error): ProbeAnswer => {
  const code = 'code' in error ? String(error.code) : ''
  const reason = error.name === 'AbortError' ? `no answer within ${limits.openDoor.patience / 1000} s` : error.message || code
  if (ofCertificates.test(code)) return { is: 'Failed', state: 'CertificateInvalid', reason }
  return { is: 'Failed', state: code === 'ENOTFOUND' ? 'NameNotFound' : 'Unreachable', reason }
}
