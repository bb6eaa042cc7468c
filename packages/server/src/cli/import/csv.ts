import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { HOTP, type TOTP, URI } from 'otpauth'
import { UsageError } from '../usage-error.ts'
import type { BadLine, SourceTotp, SourceUser } from './source.ts'

const columns = ['email', 'name', 'password_hash', 'groups', 'totp'] as const
type Column = (typeof columns)[number]

/** Reads a secret in Base32, or the `otpauth:` address that a QR code contains. */
const readTotp = (text: string, line: number): SourceTotp => {
  const plain = { line, secret: text.replace(/[\s-]/g, '').toUpperCase(), algorithm: 'SHA1', digits: 6, period: 30 }
  if (!/^otpauth:/i.test(text)) return plain
  try {
    const otp = URI.parse(text)
    if (otp instanceof HOTP) return { ...plain, algorithm: 'HOTP' }
    const { algorithm, digits, period, secret } = otp as TOTP
    return { line, secret: secret.base32, algorithm, digits, period }
  } catch {
    return { ...plain, secret: '' }
  }
}

const readHeader = (header: readonly string[], name: string): Column[] => {
  const found = header.map(text => text.trim().toLowerCase())
  const unknown = found.find(text => !columns.some(column => column === text))
  if (unknown !== undefined)
    throw new UsageError(
      `${name}:1: ${unknown === 'password' ? 'there is no column for passwords, only password_hash' : 'a column is unknown'}. The columns are ${columns.join(', ')}.`,
    )
  if (!found.includes('email') || new Set(found).size < found.length)
    throw new UsageError(`${name}:1: the first line must name each column once, and email among them.`)
  return found as Column[]
}

/** Reads a CSV file (RFC 4180) whose first line names the columns. */
export async function* readCsv(stream: Readable, file: string): AsyncGenerator<SourceUser | BadLine> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true, max_record_size: 65_536 })
  stream.on('error', error => parser.destroy(error))
  let header: Column[] | undefined
  let line = 1
  try {
    for await (const { record, info } of stream.pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      // `info.lines` is the number of the record's last line.
      const last = info.lines
      line = last
      if (!header) {
        header = readHeader(record, file)
        continue
      }
      const value = (column: Column) => record[header?.indexOf(column) ?? -1] ?? ''
      const email = value('email')
      if (record.length !== header.length) {
        // Omit the name: with a wrong separator, the first column is the whole line, including secrets.
        yield { line, name: '', problem: `has ${record.length} columns instead of ${header.length}` }
        continue
      }
      yield {
        line,
        name: email,
        address: email,
        addressIn: 'the column email',
        hash: value('password_hash') || undefined,
        groups: value('groups')
          .split(/[\s;]+/)
          .filter(Boolean),
        totp: value('totp') === '' ? [] : [readTotp(value('totp'), line)],
        passkeys: [],
        isDisabled: false,
      }
    }
  } catch (error) {
    // The library's messages quote the field, which may be a hash or a secret.
    if (error instanceof CsvError) throw new UsageError(`${file}:${line + 1}: this is not valid CSV from here on: check the quotes.`)
    throw error
  }
  if (!header) throw new UsageError(`${file} is empty.`)
}
