import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const form = 'base64 of at least 32 random bytes'

/**
 * The keys that all others are made of: from the variable, from the file it names, else from `own`, a file that is made on
 * first use. The first is in use; those after it, separated by white space or commas, are there to read what they once
 * sealed. Says in a sentence what is wrong otherwise.
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
  if (!existsSync(own)) writeFileSync(own, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  return readKey(own, own)
}

const readKey = (file: string, name: string) => {
  try {
    return decodeKeys(readFileSync(file, 'utf8')) ?? { problem: `${name} must hold ${form}.` }
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

/** Puts a new key in front of those in a file, whole or not at all. */
export const addMasterKey = (file: string): void => {
  const before = readFileSync(file, 'utf8')
  const next = `${file}.next`
  writeFileSync(next, `${randomBytes(32).toString('base64')}\n${before}`, { mode: 0o600, flush: true })
  renameSync(next, file)
}
