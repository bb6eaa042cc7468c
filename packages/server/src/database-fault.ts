import pg from 'pg'

const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'])

/** Whether an error means that the database could not do its work: it is gone, busy, full, or answered with an error. */
export const isDatabaseFault = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return true
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ERR_SQLITE_ERROR' || connectionCodes.has(code)) return true
  // What the driver itself finds carries no code.
  return /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** Whether a row was refused because another one has what only one may have. On SQLite writers wait for each other, and look first. */
export const isTaken = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23505'
