#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { startMock } from './mock-server.ts'
import { readScenario, type Scenario, usualScenario } from './scenario.ts'

const help = `Usage: gatehouse-mock [options]

Answers every call of Gatehouse's wire format on this machine, for work on front ends without a server.
It signs in everyone. Never put it in front of anything that must be protected.

  --port PORT            default 8081
  --scenario FILE        JSON with the response to each call; the README describes it
  --origin ORIGIN        a page of this origin may call; pages of this machine always may; may be repeated
  --after-sign-in URL    where the token page leads; default: a page that says so
  --quiet                prints no line for each call
  --version, --help
`

class WrongUsage extends Error {}

const readFileOf = (file: string | undefined): Scenario => {
  if (file === undefined) return usualScenario
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new WrongUsage(`${file}: ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}`)
  }
  const scenario = readScenario(json)
  if (!scenario.ok) throw new WrongUsage(`${file}: ${scenario.error}`)
  return scenario.value
}

const main = async (args: string[]) => {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8081' },
      scenario: { type: 'string' },
      origin: { type: 'string', multiple: true, default: [] },
      'after-sign-in': { type: 'string' },
      quiet: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || values.version) return void process.stdout.write(values.help ? help : `gatehouse-mock ${manifest.version}\n`)
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new WrongUsage('--port: expected a number from 0 to 65535')
  const mock = await startMock({
    port,
    scenario: readFileOf(values.scenario),
    origins: values.origin,
    afterSignIn: values['after-sign-in'],
    say: values.quiet ? () => {} : line => void process.stdout.write(`${line}\n`),
  })
  process.stdout.write(`This is a mock: it signs in everyone and protects nothing. Open ${mock.url} to choose responses.\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUsage =
    error instanceof WrongUsage || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  if (isUsage) process.stderr.write(`${error.message}\n\n${help}`)
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    process.stderr.write('The port is in use. Choose another with --port.\n')
  else throw error
  process.exitCode = 2
}
