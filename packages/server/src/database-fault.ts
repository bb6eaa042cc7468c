import { MisplacedFile } from './db/sqlite-file.ts'

const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'])

/** Whether an error means that the database could not do its work: it is gone, busy, full, or answered with an error. */
export const isDatabaseFault = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof MisplacedFile || sqlState(error) !== undefined) return true
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ERR_SQLITE_ERROR' || connectionCodes.has(code)) return true
  // What the driver itself finds carries no code.
  return /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** Whether a row was refused because another one has what only one may have. On SQLite writers wait for each other, and look first. */
export const isTaken = (error: unknown): boolean => sqlState(error) === '23505'

/** What PostgreSQL answers bears a severity and a five-letter code. Told by them and not by the driver's class, which SQLite does without. */
const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
    ? String(error.code)
    : undefined
