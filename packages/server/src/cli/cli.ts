import { ConfigProblems } from '../config/config.ts'
import { reasonOf } from '../doctor/finding.ts'
import { endOnClosedPipe } from './closed-pipe.ts'
import { commands } from './commands.ts'
import { parseCommandLine } from './parse.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

const run = async () => {
  // Only the user who runs a command may read the files that it creates.
  process.umask(0o077)
  const parsed = parseCommandLine(commands, process.argv.slice(2))
  if (parsed.is === 'help') {
    endOnClosedPipe()
    process.stdout.write(parsed.text)
    return
  }
  const { command, args, options } = parsed
  // The server must not end without a message when the program that reads its log exits.
  if (command.name !== 'start') endOnClosedPipe()
  const json = options.has('json')
  await command.run({
    args,
    options,
    write: line => json || print(line),
    data: value => json && print(JSON.stringify(value, undefined, 2)),
  })
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof ConfigProblems ? error.problems.join('\n') : reasonOf(error)}\n`)
  process.exitCode = 1
}
