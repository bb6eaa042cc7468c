import type { Activity } from '@gatehouse/wire'

type Row = Activity['rows'][number]

/** An entry of the activity list: one event, or several administrator actions in a row. `first` is the time of the oldest. */
export type Entry = Row & { count: number; first: string }

/** Combines administrator actions from the same place: otherwise an administrator's list would show nothing else after a few minutes. */
export const entriesOf = (rows: readonly Row[]): Entry[] => {
  const entries: Entry[] = []
  for (const row of rows) {
    const last = entries.at(-1)
    if (last && row.kind === 'Administered' && last.kind === 'Administered' && isSamePlace(row, last)) {
      last.count++
      last.first = row.at
    } else {
      entries.push({ ...row, count: 1, first: row.at })
    }
  }
  return entries
}

const isSamePlace = ({ from: a }: Row, { from: b }: Row): boolean =>
  a?.address === b?.address && a?.browser === b?.browser && a?.system === b?.system
