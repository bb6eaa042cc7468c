/** Instants in words, in the administrator's time zone. */
export const instantsIn = (zone: string) => {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
  const moment = format({ dateStyle: 'medium', timeStyle: 'short' })
  const date = format({ dateStyle: 'medium' })
  const day = format({ day: 'numeric', month: 'short' })
  const hour = format({ hour: '2-digit', minute: '2-digit' })
  const hourOfDay = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  return {
    moment: (at: string) => moment.format(new Date(at)),
    date: (at: string) => date.format(new Date(at)),
    /** The name of an hour or a day below a chart, and in full in a table. */
    slot: (step: 'Hour' | 'Day', at: string) => (step === 'Hour' ? hour : day).format(new Date(at)),
    slotInFull: (step: 'Hour' | 'Day', at: string) => (step === 'Hour' ? hourOfDay : date).format(new Date(at)),
  }
}
export type Instants = ReturnType<typeof instantsIn>
