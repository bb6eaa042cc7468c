import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Reads a password from the first line of standard input, without echo at a terminal. Never from an argument: every user of the machine
 * can read those.
 */
export const readPassword = async (prompt: string): Promise<string> => {
  const { stdin, stderr } = process
  const terminal = stdin.isTTY === true
  if (terminal) stderr.write(prompt)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (terminal) stderr.write('\n')
  }
}
