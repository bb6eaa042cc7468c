import { MisplacedFile } from './db/sqlite-file.ts'

const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'])

/** Whether an error comes from the database: it is down, busy or full, or a statement failed. */
export const isDatabaseFault = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof MisplacedFile || sqlState(error) !== undefined) return true
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ERR_SQLITE_ERROR' || connectionCodes.has(code)) return true
  // Errors of the PostgreSQL driver itself have no code.
  return /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** Whether PostgreSQL is unreachable: it is down, starting or stopping, or the network is down. */
export const isUnreachable = (error: unknown): boolean => {
  if (!isDatabaseFault(error)) return false
  // Class 08 is about connections. 57P01 to 57P03 mean that PostgreSQL is stopping or starting.
  const state = sqlState(error)
  return state === undefined || /^(08...|57P0[123])$/.test(state)
}

/** Whether a unique constraint refused a row. Never true on SQLite, where transactions run one at a time and check for the row before they insert. */
export const isTaken = (error: unknown): boolean => sqlState(error) === '23505'

/** Whether PostgreSQL ended a statement because it waited too long for a lock, or because two transactions waited for each other. */
export const isLockFault = (error: unknown): boolean => /^(55P03|40P01)$/.test(sqlState(error) ?? '')

/** PostgreSQL errors have a severity and a five-character code. Does not check the driver's class: SQLite servers do not load it. */
const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
    ? String(error.code)
    : undefined
