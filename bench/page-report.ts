import type { Load } from './page-load.ts'
import type { Results, Run } from './page-results.ts'
import { baseline, floor, ours, prerendered, previous, targets } from './page-targets.ts'
import { type Bar, table } from './performance-doc.ts'
import { median, sorted } from './statistics.ts'

type Figure = keyof { [K in keyof Load as Load[K] extends number | null ? K : never]: unknown }

const valuesOf = (loads: readonly Load[], figure: Figure) => loads.map(load => load[figure]).filter(value => value !== null)
const middle = (loads: readonly Load[], figure: Figure) => median(valuesOf(loads, figure))

/** The median of the ratios of each round. */
const ratio = (loads: readonly Load[], figure: Figure, beside: readonly Load[] | undefined): number =>
  median(loads.map((load, i) => (load[figure] ?? Number.NaN) / (beside?.[i]?.[figure] ?? Number.NaN)))

const rounded = (value: number, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const kB = (bytes: number) => (bytes / 1000).toFixed(1)
const mostLost = (run: Run, name: string) => (run.typing[name]?.length ? Math.max(...run.typing[name].map(({ lost }) => lost)) : Number.NaN)
const titleOf = (name: string) => targets.find(target => target.name === name)?.title ?? name

const names = (run: Run) => targets.map(({ name }) => name).filter(name => run.loads[name]?.length)

const times = (run: Run): string => {
  const rows = names(run).map(name => {
    const loads = run.loads[name] ?? []
    const ordered = sorted(valuesOf(loads, 'usable'))
    return [
      titleOf(name),
      rounded(middle(loads, 'paint')),
      rounded(middle(loads, 'usable')),
      `${rounded(ordered[0] ?? Number.NaN)} to ${rounded(ordered.at(-1) ?? Number.NaN)}`,
      rounded(ratio(loads, 'usable', run.loads[floor]), 2),
      rounded(ratio(loads, 'usable', run.loads[prerendered]), 2),
      rounded(middle(loads, 'hydrated')),
      rounded(ratio(loads, 'hydrated', run.loads[baseline]), 2),
      rounded(middle(loads, 'blocked')),
      rounded(middle(loads, 'busy')),
      (middle(loads, 'heap') / 1e6).toFixed(2),
      Math.max(...loads.map(({ shift }) => shift)).toFixed(3),
      ...(Object.keys(run.typing).length > 0 ? [rounded(mostLost(run, name))] : []),
    ]
  })
  const headings = [
    '',
    'first paint',
    'usable',
    'range',
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
    ['', 'first load, kB', 'requests', 'total, kB', 'requests', 'npm packages', 'axe'],
    names(run).flatMap(name => {
      const look = run.looks[name]
      if (!look) return []
      const { firstBytes, firstRequests, bytes, requests, packages, violations } = look
      return [[titleOf(name), kB(firstBytes), `${firstRequests}`, kB(bytes), `${requests}`, `${packages}`, `${violations.length}`]]
    }),
  )

/** The limits for our page, with the measured values. */
export const gates = (run: Run): { what: string; limit: string; is: string; holds: boolean }[] => {
  const loads = run.loads[ours] ?? []
  const look = run.looks[ours]
  const [floors, bare, sentAhead] = [run.loads[floor], run.loads[baseline], run.loads[prerendered]]
  const before = run.loads[previous]
  const gate = (what: string, most: number, is: number, text: (value: number) => string) => {
    return { what, limit: most === 0 ? 'none' : `at most ${text(most)}`, is: text(is), holds: is <= most }
  }
  const none = (value: number) => (value === 0 ? 'none' : `${value}`)
  const errors = new Set(loads.flatMap(one => one.errors))
  return [
    ...(floors ? [gate('Usable, relative to plain HTML', 1.15, ratio(loads, 'usable', floors), value => value.toFixed(2))] : []),
    ...(sentAhead
      ? [gate('Usable, relative to prerendered React', 1.1, ratio(loads, 'usable', sentAhead), value => value.toFixed(2))]
      : []),
    ...(before ? [gate('Usable, relative to the previous build', 1.03, ratio(loads, 'usable', before), value => value.toFixed(2))] : []),
    ...(bare ? [gate('Hydrated, relative to plain React', 1.1, ratio(loads, 'hydrated', bare), value => value.toFixed(2))] : []),
    gate('Main thread blocked', 60, middle(loads, 'blocked'), value => `${value.toFixed(0)} ms`),
    gate('JavaScript heap', 1.8e6, middle(loads, 'heap'), value => `${(value / 1e6).toFixed(2)} MB`),
    gate('Layout shift in any load', 0, Math.max(...loads.map(({ shift }) => shift)), none),
    gate('Characters lost in any load', 0, mostLost(run, ours), none),
    gate('Errors on the console', 0, errors.size, none),
    ...(look
      ? [
          gate('First load', 72_000, look.firstBytes, value => `${kB(value)} kB`),
          gate('Requests of the first load', 4, look.firstRequests, value => `${value}`),
          gate('Rules violated (axe)', 0, look.violations.length, none),
        ]
      : []),
  ]
}

const titles = {
  slow: 'Slow phone: processor four times slower, 1.6 Mbit/s, 150 ms latency',
  fast: 'No throttling',
}

const legend = `Times are medians in milliseconds since the navigation. × HTML, × prerendered and × React are medians of the ratios within each round,
compared with the bare form in plain HTML, in prerendered React, and rendered by React. *usable*: a text entered into the email field arrives and stays.
*hydrated*: React has taken over the field. *blocked*: the part of each long task beyond 50 ms. *heap*: after two garbage collections. *shift*: the largest
layout shift of any load. *lost*: the most characters lost in any load, typed every 10 ms from when the field appears until the page is idle. *first load*:
requests before the load event, in bytes compressed with brotli.`

/** All results as Markdown. */
export const report = ({ slow, fast }: Results): string => {
  const parts = Object.entries({ slow, fast }).flatMap(([profile, run]) => {
    if (!run) return []
    const ofOurs = run.loads[ours]?.length ?? run.rounds
    const more = ofOurs > run.rounds ? ` (${ofOurs} of Gatehouse and the bare forms)` : ''
    const of = `**${titles[profile === 'slow' ? 'slow' : 'fast']}.** ${run.rounds} rounds${more}, ${run.machine}`
    return [`${of}\n\n${times(run)}`]
  })
  const weighed = slow ?? fast
  if (weighed) parts.push(`**Bytes and requests.**\n\n${weights(weighed)}`)
  if (slow?.loads[ours]) {
    const rows = gates(slow).map(({ what, limit, is, holds }) => [what, limit, is, holds ? 'yes' : '**no**'])
    parts.push(`**Limits of the Gatehouse page on the slow profile.**\n\n${table(['', 'limit', 'measured', 'holds'], rows)}`)
  }
  return [...parts, legend].join('\n\n')
}

/** A bar for each target: the time until it is usable. */
export const bars = (run: Run): Bar[] =>
  names(run)
    .map(name => ({ name: titleOf(name), value: middle(run.loads[name] ?? [], 'usable'), ours: name === ours }))
    .sort((a, b) => a.value - b.value)
    .map(bar => ({ ...bar, text: `${rounded(bar.value)} ms` }))
