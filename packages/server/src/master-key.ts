import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const form = 'base64 of at least 32 random bytes'

/**
 * The key that all others are made of: from the variable, from the file it names, else from `own`, a file that is made on
 * first use. Says in a sentence what is wrong otherwise.
 */
export const readMasterKey = (from: {
  text: string | undefined
  file: string | undefined
  own: string | undefined
}): Buffer | { problem: string } => {
  const { text, file, own } = from
  if (text && file) return { problem: 'GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set; set one of them.' }
  if (text) return decodeKey(text) ?? { problem: `GATEHOUSE_MASTER_KEY must be ${form}.` }
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
    return decodeKey(readFileSync(file, 'utf8')) ?? { problem: `${name} must hold ${form}.` }
  } catch (error) {
    return { problem: `${name} cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).` }
  }
}

const decodeKey = (text: string) => {
  const key = Buffer.from(text.trim(), 'base64')
  return /^[A-Za-z0-9+/_-]+=*$/.test(text.trim()) && key.length >= 32 ? key : undefined
}
