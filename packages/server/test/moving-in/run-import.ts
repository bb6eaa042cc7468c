import type { importCsv } from '../../src/cli/import/import.ts'
import type { startServer } from '../support/harness.ts'

type Result = {
  applied: boolean
  counts: Record<string, number>
  rows: { line: number; name: string; address?: string; what: string; notes: string[] }[]
  oldPasswords: Record<string, number>
}

/** Runs an import command on the server's database. @returns its data, the lines it printed, and its error message if it failed */
export const runImport = async (
  { config, db, clock }: Awaited<ReturnType<typeof startServer>>,
  command: typeof importCsv,
  file: string,
  options: Record<string, string> = {},
) => {
  const lines: string[] = []
  let result: Result | undefined
  const error = await command({
    args: [file],
    options: new Map(Object.entries(options)),
    config,
    database: { db, clock: { now: () => clock.at, ahead: () => 0, stop: () => {} }, close: async () => {}, migrated: [] },
    write: line => lines.push(line),
    data: value => (result = value as Result),
  }).catch((caught: Error) => caught.message)
  return { result, lines, error: error ?? undefined }
}
