import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { BadLine, SourceUser } from './source.ts'

/** Reads an htpasswd file of Apache or nginx: `name:hash` on each line. */
export async function* readHtpasswd(file: string): AsyncGenerator<SourceUser | BadLine> {
  let line = 0
  // Create the interface just before the loop, because it loses lines that it reads before the loop starts.
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  for await (const text of lines) {
    line++
    if (text.trim() === '' || text.startsWith('#')) continue
    const colon = text.indexOf(':')
    if (colon < 1) {
      yield { line, name: '', problem: 'has no colon after a name' }
      continue
    }
    const name = text.slice(0, colon)
    // nginx ignores a comment after a second colon.
    const [hash = ''] = text.slice(colon + 1).split(':')
    yield {
      line,
      name,
      address: '',
      addressIn: '',
      hash: hash.trim() || undefined,
      groups: [],
      totp: [],
      passkeys: [],
      isDisabled: false,
    }
  }
}
