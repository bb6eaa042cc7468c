import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { parseCommandLine } from './parse.ts'
import { UsageError } from './usage-error.ts'

const parse = (...argv: string[]) => parseCommandLine(commands, argv)

const refusalOf = (...argv: string[]) => {
  try {
    return parse(...argv)
  } catch (error) {
    return error instanceof UsageError ? error.message : error
  }
}

test.each(commands.map(({ name }) => name))('%s --help describes the command and its options', name => {
  const command = commands.find(one => one.name === name)
  for (const flag of ['--help', '-h']) {
    const help = parse(...name.split(' '), flag)
    expect(help).toMatchObject({
      is: 'help',
      text: expect.stringContaining(`Usage: npm run cli -- ${[name, ...(command?.args ?? [])].join(' ')}`),
    })
    expect(help).toMatchObject({ text: command?.printsData ? expect.stringContaining('--json') : expect.not.stringContaining('--json') })
  }
})

test('--help lists every command; after the first word of a group, it lists only the commands of that group', () => {
  const all = parse('--help')
  for (const { name } of commands) expect(all).toMatchObject({ is: 'help', text: expect.stringContaining(`  ${name}`) })
  const some = parse('user', '--help')
  expect(some).toMatchObject({ is: 'help', text: expect.stringContaining('user force-reset ADDRESS') })
  expect(some).toMatchObject({ text: expect.not.stringContaining('rotate-key') })
})

test('no command name equals or is a prefix of another command name', () => {
  for (const { name } of commands) expect(commands.filter(other => `${other.name} `.startsWith(`${name} `))).toHaveLength(1)
})

test('the error for an unknown command repeats the command but not its arguments', () => {
  expect(refusalOf('token', 'ghp_secret')).toMatch(/^Unknown command: token\nUsage: /)
  expect(refusalOf('user', 'lst', 'ada@example.com')).toMatch(/^Unknown command: user lst\n/)
  expect(refusalOf('user', 'unlokc')).toMatch(/^Unknown command: user unlokc\. Did you mean user unlock\?\n/)
  expect(refusalOf('--help', 'token')).toMatch(/^Unknown command: token\n/)
  for (const secret of ['ghp_secret', 'ada@example.com']) expect(refusalOf('token', secret)).not.toContain(secret)
})

test('refuses a missing argument, an extra argument and an unknown option, and shows the usage of the command', () => {
  expect(refusalOf('user', 'unlock')).toBe('Usage: npm run cli -- user unlock ADDRESS')
  expect(refusalOf('migrate', 'now')).toBe('Usage: npm run cli -- migrate [options]')
  expect(refusalOf('user', 'unlock', 'ada@example.com', '--json')).toMatch(
    /^Unknown option '--json'.*\nUsage: npm run cli -- user unlock ADDRESS$/s,
  )
})

test('an optional argument may be left out, and options follow the command', () => {
  expect(parse('doctor')).toMatchObject({ is: 'call', args: [], options: new Map() })
  expect(parse('doctor', '--json', 'https://grafana.example.com')).toMatchObject({
    is: 'call',
    args: ['https://grafana.example.com'],
    options: new Map([['json', '']]),
  })
})
