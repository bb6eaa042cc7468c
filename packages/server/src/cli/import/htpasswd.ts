import type { BadLine, SourceUser } from './source.ts'

/** Reads an htpasswd file of Apache or nginx: `name:hash` on each line. */
export async function* readHtpasswd(lines: AsyncIterable<string>): AsyncGenerator<SourceUser | BadLine> {
  let line = 0
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
    yield { line, name, address: name, hash: hash.trim() || undefined, groups: [], totp: [], passkeys: [], isDisabled: false }
  }
}
