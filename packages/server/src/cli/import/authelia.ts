import { parseYaml, type Value } from '../../forward-auth/rules-file/yaml-tree.ts'
import { UsageError } from '../usage-error.ts'
import type { BadLine, SourcePasskey, SourceTotp, SourceUser } from './source.ts'

/** The text of a file and its name, for messages. */
export type TextFile = { name: string; text: string }

type Fields = { at: { line: number }; is: 'Map'; fields: readonly { at: { line: number }; name: string; value: Value }[] }

const parse = async ({ name, text }: TextFile): Promise<Value> => {
  const { value, problems } = await parseYaml(text)
  const [first] = problems
  // The library's messages quote the line, which may be a hash or a secret.
  if (first) throw new UsageError(`${name}:${first.line}: this is not valid YAML. Nothing was imported.`)
  return value
}

const field = (of: Value, name: string): Value | undefined =>
  of.is === 'Map' ? of.fields.find(one => one.name === name)?.value : undefined

const textOf = (of: Value, name: string): string => {
  const value = field(of, name)
  return value?.is === 'Text' && value.text !== 'null' && value.text !== '~' ? value.text : ''
}

const isOn = (of: Value, name: string): boolean => /^(true|yes|on)$/i.test(textOf(of, name))

const listOf = (of: Value, name: string): readonly Value[] => {
  const value = field(of, name)
  return value?.is === 'List' ? value.items : []
}

const textsOf = (of: Value, name: string): string[] => listOf(of, name).flatMap(item => (item.is === 'Text' ? [item.text] : []))

/** The entries of an export by username. */
const entriesOf = async (file: TextFile | undefined, list: string): Promise<Map<string, Value[]>> => {
  if (!file) return new Map()
  const tree = await parse(file)
  const found = field(tree, list)
  if (found?.is !== 'List') throw new UsageError(`${file.name} has no list ${list}. Nothing was imported.`)
  return Map.groupBy(found.items, item => textOf(item, 'username'))
}

const readTotp = (entry: Value): SourceTotp => ({
  line: entry.at.line,
  // Authelia encodes the Base32 text once more, in Base64.
  secret: Buffer.from(textOf(entry, 'secret'), 'base64').toString('latin1'),
  algorithm: textOf(entry, 'algorithm'),
  digits: Number(textOf(entry, 'digits')),
  period: Number(textOf(entry, 'period')),
})

const readPasskey = (entry: Value): SourcePasskey => ({
  line: entry.at.line,
  rpId: textOf(entry, 'rpid'),
  name: textOf(entry, 'description'),
  credentialId: textOf(entry, 'kid'),
  publicKey: textOf(entry, 'public_key'),
  counter: Number(textOf(entry, 'sign_count') || '0'),
  transports: textsOf(entry, 'transports'),
  aaguid: textOf(entry, 'aaguid') || '00000000-0000-0000-0000-000000000000',
  isVerified: isOn(entry, 'verified'),
  isSynced: isOn(entry, 'backup_eligible'),
  isLegacy: isOn(entry, 'legacy') || textOf(entry, 'attestation_type') === 'fido-u2f',
})

/** Reads Authelia's file of users, and the exports of its storage. */
export async function* readAuthelia(files: {
  users: TextFile
  totp?: TextFile | undefined
  passkeys?: TextFile | undefined
}): AsyncGenerator<SourceUser | BadLine> {
  const users = field(await parse(files.users), 'users')
  if (users?.is !== 'Map') throw new UsageError(`${files.users.name} has no map users. Nothing was imported.`)
  const totp = await entriesOf(files.totp, 'totp_configurations')
  const passkeys = await entriesOf(files.passkeys, 'webauthn_credentials')
  for (const { at, name, value } of (users as Fields).fields) {
    const found = { totp: totp.get(name) ?? [], passkeys: passkeys.get(name) ?? [] }
    totp.delete(name)
    passkeys.delete(name)
    if (value.is !== 'Map') {
      yield { line: at.line, name, problem: 'has no fields' }
      continue
    }
    yield {
      line: at.line,
      name,
      address: textOf(value, 'email'),
      addressIn: 'the field email',
      hash: textOf(value, 'password') || undefined,
      groups: textsOf(value, 'groups'),
      totp: found.totp.map(readTotp),
      passkeys: found.passkeys.map(readPasskey),
      isDisabled: isOn(value, 'disabled'),
    }
  }
  for (const [file, left] of [
    [files.totp, totp],
    [files.passkeys, passkeys],
  ] as const)
    for (const [name, entries] of left)
      for (const { at } of entries) yield { line: at.line, name, problem: `is in ${file?.name} and not in ${files.users.name}` }
}
