import type { Load } from './page-load.ts'
import type { Results, Run } from './page-results.ts'
import { baseline, floor, ours, prerendered, targets } from './page-targets.ts'
import { type Bar, table } from './performance-doc.ts'
import { median, sorted } from './statistics.ts'

type Figure = keyof { [K in keyof Load as Load[K] extends number | null ? K : never]: unknown }

const valuesOf = (loads: readonly Load[], figure: Figure) => loads.map(load => load[figure]).filter(value => value !== null)
const middle = (loads: readonly Load[], figure: Figure) => median(valuesOf(loads, figure))

/** The median of the ratios within each round. */
const ratio = (loads: readonly Load[], figure: Figure, beside: readonly Load[] | undefined): number =>
  median(loads.map((load, i) => (load[figure] ?? Number.NaN) / (beside?.[i]?.[figure] ?? Number.NaN)))

const said = (value: number, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const kB = (bytes: number) => (bytes / 1000).toFixed(1)
const mostOf = (run: Run, name: string) => (run.typing[name]?.length ? Math.max(...run.typing[name].map(({ lost }) => lost)) : Number.NaN)
const titleOf = (name: string) => targets.find(target => target.name === name)?.title ?? name

const names = (run: Run) => targets.map(({ name }) => name).filter(name => run.loads[name]?.length)

const times = (run: Run): string => {
  const rows = names(run).map(name => {
    const loads = run.loads[name] ?? []
    const ordered = sorted(valuesOf(loads, 'usable'))
    return [
      titleOf(name),
      said(middle(loads, 'paint')),
      said(middle(loads, 'usable')),
      `${said(ordered[0] ?? Number.NaN)} to ${said(ordered.at(-1) ?? Number.NaN)}`,
      said(ratio(loads, 'usable', run.loads[floor]), 2),
      said(ratio(loads, 'usable', run.loads[prerendered]), 2),
      said(middle(loads, 'hydrated')),
      said(ratio(loads, 'hydrated', run.loads[baseline]), 2),
      said(middle(loads, 'blocked')),
      said(middle(loads, 'busy')),
      (middle(loads, 'heap') / 1e6).toFixed(2),
      Math.max(...loads.map(({ shift }) => shift)).toFixed(3),
      ...(Object.keys(run.typing).length > 0 ? [said(mostOf(run, name))] : []),
    ]
  })
  const headings = [
    '',
    'first paint',
    'usable',
    'from … to',
    '× HTML',
    '× prerendered',
    'hydrated',
    '× React',
    'blocked',
    'busy',
    'heap, MB',
    'shift',
  ]
  return table(Object.keys(run.typing).length > 0 ? [...headings, 'lost'] : headings, rows)
}

const weights = (run: Run): string =>
  table(
    ['', 'first load, kB', 'requests', 'in all, kB', 'requests', 'npm packages', 'axe'],
    names(run).flatMap(name => {
      const look = run.looks[name]
      if (!look) return []
      const { firstBytes, firstRequests, bytes, requests, packages, violations } = look
      return [[titleOf(name), kB(firstBytes), `${firstRequests}`, kB(bytes), `${requests}`, `${packages}`, `${violations.length}`]]
    }),
  )

/** What our page is to reach, and what it was seen to. */
export const gates = (run: Run): { what: string; limit: string; is: string; holds: boolean }[] => {
  const loads = run.loads[ours] ?? []
  const look = run.looks[ours]
  const [floors, bare, sentAhead] = [run.loads[floor], run.loads[baseline], run.loads[prerendered]]
  const gate = (what: string, most: number, is: number, text: (value: number) => string) => {
    return { what, limit: most === 0 ? 'none' : `at most ${text(most)}`, is: text(is), holds: is <= most }
  }
  const none = (value: number) => (value === 0 ? 'none' : `${value}`)
  const errors = new Set(loads.flatMap(one => one.errors))
  return [
    ...(floors ? [gate('Usable, times HTML alone', 1.15, ratio(loads, 'usable', floors), value => value.toFixed(2))] : []),
    ...(sentAhead ? [gate('Usable, times prerendered React', 1.1, ratio(loads, 'usable', sentAhead), value => value.toFixed(2))] : []),
    ...(bare ? [gate('Hydrated, times bare React', 1.1, ratio(loads, 'hydrated', bare), value => value.toFixed(2))] : []),
    gate('Main thread blocked', 60, middle(loads, 'blocked'), value => `${value.toFixed(0)} ms`),
    gate('JavaScript heap', 1.8e6, middle(loads, 'heap'), value => `${(value / 1e6).toFixed(2)} MB`),
    gate('Layout shift, in any load', 0, Math.max(...loads.map(({ shift }) => shift)), none),
    gate('Characters lost, in any load', 0, mostOf(run, ours), none),
    gate('Errors on the console', 0, errors.size, none),
    ...(look
      ? [
          gate('First load', 72_000, look.firstBytes, value => `${kB(value)} kB`),
          gate('Requests of the first load', 4, look.firstRequests, value => `${value}`),
          gate('What axe finds, rules', 0, look.violations.length, none),
        ]
      : []),
  ]
}

const titles = {
  slow: 'As on a slow phone: processor four times slower, 1.6 Mbit/s, 150 ms',
  fast: 'Nothing slowed down',
}

const legend = `Milliseconds since the navigation, medians; × HTML, × prerendered and × React are medians of the ratios within each round: to the bare form in HTML alone, to
the one that React prerendered and to the one that React draws. *usable*: a text put into the field for the e-mail address arrives and stays. *hydrated*: React has taken the field over.
*blocked*: what long tasks took beyond 50 ms each. *heap*: after two collections of garbage. *shift*: the most layout shift of any load. *lost*: the most
characters that were lost of those typed at 10 ms per key from the first sight of the field until the page rested. *first load*: what was asked for before the load
event, in bytes as they were sent, brotli.`

/** The tables of all that was measured, as Markdown. */
export const report = ({ slow, fast }: Results): string => {
  const parts = Object.entries({ slow, fast }).flatMap(([profile, run]) => {
    if (!run) return []
    const of = `**${titles[profile === 'slow' ? 'slow' : 'fast']}.** ${run.rounds} rounds, ${run.machine}`
    return [`${of}\n\n${times(run)}`]
  })
  const weighed = slow ?? fast
  if (weighed) parts.push(`**What is sent.**\n\n${weights(weighed)}`)
  if (slow?.loads[ours]) {
    const rows = gates(slow).map(({ what, limit, is, holds }) => [what, limit, is, holds ? 'yes' : '**no**'])
    parts.push(`**What our page is to reach on the slow profile.**\n\n${table(['', 'limit', 'measured', 'holds'], rows)}`)
  }
  return [...parts, legend].join('\n\n')
}

/** A bar for each target: how long until it can be typed into. */
export const bars = (run: Run): Bar[] =>
  names(run)
    .map(name => ({ name: titleOf(name), value: middle(run.loads[name] ?? [], 'usable'), ours: name === ours }))
    .sort((a, b) => a.value - b.value)
    .map(bar => ({ ...bar, text: `${said(bar.value)} ms` }))
