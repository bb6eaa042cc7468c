import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

const form = 'base64 of at least 32 random bytes'

/**
 * Reads the master keys from `text`, from `file`, or else from `own`, a file that is created on first use. The first key is current; later
 * ones, separated by white space or commas, only decrypt old values. Returns a sentence if the keys cannot be read.
 */
export const readMasterKeys = (from: {
  text: string | undefined
  file: string | undefined
  own: string | undefined
}): readonly Buffer[] | { problem: string } => {
  const { text, file, own } = from
  if (text && file) return { problem: 'GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set; set one of them.' }
  if (text) return decodeKeys(text) ?? { problem: `GATEHOUSE_MASTER_KEY must be ${form}.` }
  if (file) return readKey(file, `GATEHOUSE_MASTER_KEY_FILE: ${file}`)
  if (!own)
    return {
      problem: `GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE must be set in production: ${form}, for example from openssl rand -base64 32.`,
    }
  if (!existsSync(own)) makeKeyFile(own)
  return readKey(own, own)
}

/** Creates the file atomically. Servers that start at the same time all read the first one's file. */
const makeKeyFile = (file: string): void => {
  const made = `${file}.${process.pid}`
  writeFileSync(made, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(made, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(made)
  }
}

const readKey = (file: string, name: string) => {
  try {
    return decodeKeys(readFileSync(file, 'utf8')) ?? { problem: `${name} must contain ${form}.` }
  } catch (error) {
    return { problem: `${name} cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).` }
  }
}

const decodeKeys = (text: string): readonly Buffer[] | undefined => {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(decodeKey)
  return keys.length > 0 && keys.every(key => key !== undefined) ? keys : undefined
}

const decodeKey = (text: string) => {
  const key = Buffer.from(text, 'base64')
  return /^[A-Za-z0-9+/_-]+=*$/.test(text) && key.length >= 32 ? key : undefined
}

/**
 * Adds a new key in front of those in a file, atomically. Keeps owner and mode of the file.
 * @throws Error that says what to do
 */
export const addMasterKey = (file: string): void => {
  // Resolve a symbolic link, so that the link stays.
  const target = realpathSync(file)
  const next = `${target}.next`
  const { uid, gid, mode } = statSync(target)
  try {
    // Only one process may create this file: of two parallel rotations, one would undo the other.
    writeFileSync(next, '', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      code === 'EEXIST'
        ? `Another rotation is adding a key to ${file}. If none is running, one was interrupted: remove ${next} and run this command again.`
        : `${file} cannot be changed from here (${code}). Put a new key in front of the others yourself (openssl rand -base64 32), and run this command again.`,
    )
  }
  try {
    writeFileSync(next, `${randomBytes(32).toString('base64')}\n${readFileSync(target, 'utf8')}`, { flush: true })
    chownSync(next, uid, gid)
    chmodSync(next, mode & 0o777)
    renameSync(next, target)
  } catch (cause) {
    rmSync(next, { force: true })
    throw new Error(`${file} could not be changed`, { cause })
  }
}
