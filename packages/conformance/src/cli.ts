#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { checkServer } from './check-server.ts'
import { reportOf } from './report.ts'
import { readTarget } from './target.ts'

const help = `Usage: gatehouse-conformance ADDRESS [options]

Checks whether the server at ADDRESS speaks the wire format of Gatehouse.

  --accounts FILE        JSON with test accounts; without it, few rows can be checked
  --origin ORIGIN        the origin of the page that makes the calls; default: that of ADDRESS
  --only TEXT            only rows whose id or section contains TEXT; may be repeated
  --specification-only   only what the specification says, not what Gatehouse adds to it
  --timing [--samples N] also times failed sign-ins, N of each kind (default 100); locks the accounts
  --flood                also sends sign-ins until the server limits them
  --json                 prints the rows as JSON
  --version, --help

Exit code: 0 if no row failed, 1 if one failed, 2 if the command was wrong.
Use a test server: the run requests emails, changes accounts and locks one. The README lists what each account must be.
`

class WrongUsage extends Error {}

const readOptions = (args: string[]) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      accounts: { type: 'string' },
      origin: { type: 'string' },
      only: { type: 'string', multiple: true },
      samples: { type: 'string', default: '100' },
      'specification-only': { type: 'boolean', default: false },
      timing: { type: 'boolean', default: false },
      flood: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return { values, positionals }
}

const readAccounts = (file: string | undefined): unknown => {
  if (file === undefined) return { accounts: {} }
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new WrongUsage(`${file}: ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}`)
  }
}

const main = async (args: string[]): Promise<number> => {
  const { values, positionals } = readOptions(args)
  if (values.help || values.version) {
    process.stdout.write(values.help ? help : `gatehouse-conformance ${manifest.version}\n`)
    return 0
  }
  const [address, ...more] = positionals
  const samples = Number(values.samples)
  if (address === undefined || more.length > 0) throw new WrongUsage('expected one address')
  if (!Number.isInteger(samples) || samples < 20) throw new WrongUsage('--samples: expected a number from 20 on')
  const target = readTarget(address, readAccounts(values.accounts), values.origin)
  if (!target.ok) throw new WrongUsage(target.error)
  await fetch(target.value.url, { redirect: 'manual', signal: AbortSignal.timeout(30_000) }).catch(
    ({ cause }: { cause?: { code?: string } }) => {
      throw new WrongUsage(`${address}: no server answers${cause?.code ? ` (${cause.code})` : ''}`)
    },
  )
  const rows = await checkServer(target.value, {
    only: values.only,
    specificationOnly: values['specification-only'],
    timingSamples: values.timing ? samples : 0,
    flood: values.flood,
    say: line => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : reportOf(rows))
  return rows.some(({ result }) => result === 'failed') ? 1 : 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isUsage =
    error instanceof WrongUsage || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  if (!isUsage) throw error
  process.stderr.write(`${(error as Error).message}\n\n${help}`)
  process.exitCode = 2
}
