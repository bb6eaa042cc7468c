import { statSync } from 'node:fs'

/** Thrown instead of writing to a deleted or replaced file: the write would be lost at the next start. */
export class MisplacedFile extends Error {
  readonly file: string

  constructor(file: string) {
    super(`The database file ${file} was deleted or replaced while the server runs. Put it back, or restart the server.`)
    this.file = file
  }
}

/**
 * Remembers which file a path named when it was opened. SQLite would write to a deleted file ("How To Corrupt An SQLite Database File").
 * @param file the path, just opened
 * @returns a function that throws MisplacedFile unless the path still names that file
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
    // ENOTDIR: a folder of the path was replaced by a file, so the database is gone. Other errors, such as a missing permission, do not
    // prove that.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}
