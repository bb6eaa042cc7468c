import { statSync } from 'node:fs'

/** Thrown instead of a write that nobody could read after the next start. */
export class MisplacedFile extends Error {
  readonly file: string

  constructor(file: string) {
    super(`The database file ${file} was deleted or replaced while the server runs. Put it back, or restart the server.`)
    this.file = file
  }
}

/**
 * Remembers which file was opened under a path. SQLite goes on writing to a file that was deleted (SQLite, How To Corrupt, §4).
 * @param file as it has just been opened
 * @returns throws MisplacedFile unless the path still leads to that file
 */
export const guardFile = (file: string): (() => void) => {
  const opened = statSync(file)
  return () => {
    const found = look(file)
    if (found === undefined || found.ino !== opened.ino || found.dev !== opened.dev) throw new MisplacedFile(file)
  }
}

const look = (file: string) => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    // A part of the path is a file now, or a folder on the way may not be entered: only the first means that the database is gone.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}
