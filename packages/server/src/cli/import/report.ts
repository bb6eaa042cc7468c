import type { Plan, What } from './plan.ts'

const counted: Record<What, readonly [one: string, many: string]> = {
  create: ['user to create', 'users to create'],
  unchanged: ['user exists already, unchanged', 'users exist already, unchanged'],
  differs: ['user exists already, differs and stays', 'users exist already, differ and stay'],
  skip: ['user skipped', 'users skipped'],
  bad: ['bad line', 'bad lines'],
}

const columns = ['LINE', 'WHAT', 'NAME', 'ADDRESS', 'NOTES'] as const
const widths = [5, 9, 20, 28] as const

const rowOf = (cells: readonly string[]) =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd()

/** Prints what an import does with each line of the file, and then the totals. */
export const createReport = (write: (line: string) => void) => {
  const rows: Omit<Plan, 'user'>[] = []
  const counts: Record<What, number> = { create: 0, unchanged: 0, differs: 0, skip: 0, bad: 0 }
  const kinds = new Map<string, number>()
  let administrators = 0
  write(rowOf(columns))

  return {
    add: (batch: readonly Plan[]) => {
      for (const { user, ...row } of batch) {
        rows.push(row)
        counts[row.what]++
        if (row.what === 'create' && user?.isAdministrator) administrators++
        const { kind } = user?.password ?? {}
        if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        write(rowOf([String(row.line), row.what, row.name, row.address ?? '', row.notes.join('; ')]))
      }
    },
    kinds: (): ReadonlyMap<string, number> => kinds,
    result: () => ({ counts, rows }),
    /** @returns how many lines were bad */
    end: (isApplied: boolean, oldKinds: ReadonlyMap<string, number>): number => {
      write('')
      for (const what of Object.keys(counts) as What[]) {
        const [one, many] = counted[what]
        const text = counts[what] === 1 ? one : many
        if (counts[what] > 0 || what === 'create') write(`${counts[what]} ${isApplied ? text.replace(' to create', ' created') : text}`)
      }
      if (administrators > 0)
        write(administrators === 1 ? '1 of them becomes an administrator.' : `${administrators} of them become administrators.`)
      if (oldKinds.size > 0) {
        const list = [...oldKinds].map(([kind, users]) => `${kind} (${users})`).join(', ')
        write(`Passwords in hashes of another program, by kind: ${list}. Every sign-in computes one hash of each kind until none is left.`)
      }
      if (!isApplied) write('Nothing was changed. Run the command again with --apply.')
      return counts.bad
    },
  }
}
