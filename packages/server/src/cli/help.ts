import { commandLine } from '../program.ts'
import type { Command, Option } from './command.ts'

const usageOf = ({ name, args }: Command) => [name, ...args].join(' ')

const table = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}\n`).join('')
}

/** The list of commands. */
export const helpOf = (commands: readonly Command[]): string =>
  `Usage: ${commandLine} COMMAND\n\n${table(commands.map(command => [usageOf(command), command.says]))}\n${commandLine} COMMAND --help describes a command.\n`

const json: Option = { says: 'prints the data as JSON' }

/** The options that a command takes, besides `--help`. */
export const optionsOf = ({ options, printsData }: Command): Readonly<Record<string, Option>> => ({
  ...options,
  ...(printsData && { json }),
})

/** The first line of a command's help. Error messages repeat it. */
export const usageLine = (command: Command): string => {
  const options = Object.keys(optionsOf(command)).length > 0 ? ' [options]' : ''
  return `Usage: ${commandLine} ${usageOf(command)}${options}\n`
}

export const helpOfOne = (command: Command): string => {
  const rows = Object.entries(optionsOf(command)).map(([name, { value, says }]) => [`--${name}${value ? ` ${value}` : ''}`, says] as const)
  const says = `${command.says.charAt(0).toUpperCase()}${command.says.slice(1)}.`
  return [usageLine(command), `\n${says}\n`, command.details ? `${command.details}\n` : '', rows.length > 0 ? `\n${table(rows)}` : ''].join(
    '',
  )
}
