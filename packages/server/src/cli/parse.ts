import { parseArgs } from 'node:util'
import { nearest } from '../config/value-formats.ts'
import { commandLine } from '../program.ts'
import type { Call, Command } from './command.ts'
import { helpOf, helpOfOne, optionsOf, usageLine } from './help.ts'
import { UsageError } from './usage-error.ts'

export type Parsed = { is: 'help'; text: string } | { is: 'call'; command: Command; args: string[]; options: Call['options'] }

/**
 * Finds the command in a command line. The words of the command come first.
 * @throws UsageError that names what is wrong
 */
export const parseCommandLine = (commands: readonly Command[], argv: readonly string[]): Parsed => {
  const wantsHelp = argv.includes('--help') || argv.includes('-h')
  const words = wantsHelp ? argv.filter(word => !word.startsWith('-')) : leadingWords(argv)
  const command = commands.find(({ name }) => ` ${words.join(' ')} `.startsWith(` ${name} `))
  if (!command) return withoutCommand(commands, words, wantsHelp)
  if (wantsHelp) return { is: 'help', text: helpOfOne(command) }
  const { positionals, options } = parseRest(command, argv.slice(command.name.split(' ').length))
  const required = command.args.filter(name => !name.startsWith('['))
  if (positionals.length < required.length || positionals.length > command.args.length) throw new UsageError(usageLine(command).trim())
  return { is: 'call', command, args: positionals, options }
}

const leadingWords = (argv: readonly string[]) => {
  const end = argv.findIndex(word => word.startsWith('-'))
  return end === -1 ? argv : argv.slice(0, end)
}

const parseRest = (command: Command, rest: string[]) => {
  const types = Object.entries(optionsOf(command)).map(
    ([name, { value }]) => [name, { type: value ? ('string' as const) : ('boolean' as const) }] as const,
  )
  try {
    const { positionals, values } = parseArgs({ args: rest, allowPositionals: true, options: Object.fromEntries(types) })
    return { positionals, options: new Map(Object.entries(values).map(([name, value]) => [name, value === true ? '' : String(value)])) }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${usageLine(command).trim()}`)
  }
}

const withoutCommand = (commands: readonly Command[], words: readonly string[], wantsHelp: boolean): Parsed => {
  const [first] = words
  const group = commands.filter(({ name }) => name.split(' ')[0] === first)
  if (wantsHelp && (words.length === 0 || (words.length === 1 && group.length > 0)))
    return { is: 'help', text: helpOf(group.length > 0 ? group : commands) }
  if (first === undefined) throw new UsageError(helpOf(commands).trim())
  // The rest of the line may contain a mistyped secret, so the message repeats no more than the words of a command.
  const named = words.slice(0, group.length > 0 ? 2 : 1).join(' ')
  const near = nearest(
    named,
    commands.map(({ name }) => name),
  )
  throw new UsageError(
    `Unknown command: ${named}${near ? `. Did you mean ${near}?` : ''}\n${group.length > 0 ? helpOf(group).trim() : `Usage: ${commandLine} COMMAND\n${commandLine} --help lists the commands.`}`,
  )
}
