export type Option = {
  /** The name of the option's value in the help. An option without one is a switch. */
  value?: string
  says: string
}

/** One call of a command. */
export type Call = {
  args: readonly string[]
  /** The values of the given options; '' for a switch. */
  options: ReadonlyMap<string, string>
  /** Prints a human-readable line. With `--json`, prints nothing. */
  write: (line: string) => void
  /** Prints a value as JSON. Without `--json` it prints nothing. */
  data: (value: unknown) => void
}

export type Command = {
  /** One or two words. */
  name: string
  /** Names of the arguments, an optional one in brackets: `ADDRESS`, `[ADDRESS]`. */
  args: readonly string[]
  /** Says in a few words what the command does. */
  says: string
  /** More sentences for the command's own help. */
  details?: string
  options?: Readonly<Record<string, Option>>
  /** Whether the command prints data, and so takes `--json`. */
  printsData?: true
  run: (call: Call) => Promise<void>
}
