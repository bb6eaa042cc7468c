import type { UserDetail } from '@gatehouse/wire'

export type ActivityRow = UserDetail['activity'][number]

/** An entry of the activity list: an event, or the steps of one sign-in. Rows are newest first. */
export type ActivityItem = { is: 'Event'; row: ActivityRow } | { is: 'SignIn'; id: string; rows: ActivityRow[] }

/** Puts the steps of each sign-in into one entry, at the place of its newest step. A sign-in of one step is an event. */
export const groupSteps = (activity: readonly ActivityRow[]): ActivityItem[] => {
  const steps = new Map<string, ActivityRow[]>()
  for (const row of activity) if (row.signIn != null) steps.set(row.signIn, [...(steps.get(row.signIn) ?? []), row])
  return activity.flatMap((row): ActivityItem[] => {
    const rows = row.signIn == null ? [] : (steps.get(row.signIn) ?? [])
    if (row.signIn == null || rows.length === 1) return [{ is: 'Event', row }]
    return rows[0] === row ? [{ is: 'SignIn', id: row.signIn, rows }] : []
  })
}

/** Whether a sign-in was completed. */
export const isCompleted = (rows: readonly ActivityRow[]): boolean => rows.some(row => row.auditEvent === 'session-started')

/** The steps, oldest first. Consecutive equal steps become one, with a count. */
export const countedSteps = (rows: readonly ActivityRow[], textOf: (row: ActivityRow) => string): { text: string; times: number }[] => {
  const counted: { text: string; times: number }[] = []
  for (const row of rows.toReversed()) {
    const text = textOf(row)
    const last = counted.at(-1)
    if (last?.text === text) last.times += 1
    else counted.push({ text, times: 1 })
  }
  return counted
}
