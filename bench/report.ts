import { addedDelay } from './delaying-proxy.ts'
import type { Group, Measured } from './measure.ts'
import { type Comparison, compare, quantile, sorted } from './statistics.ts'

/** The result for one call. `void`: the benchmark did not detect the control's delay, or the audit does not match. */
export type Finding = 'nothing' | 'too few samples' | 'a difference' | 'void'

/** Evaluates the measurements of one call and formats them as tables. */
export const report = ({ call }: Group, { classes, control, answers }: Measured): { finding: Finding; text: string } => {
  const pairs = pairsOf([...classes]).map(([[a, first], [b, second]]) => ({
    pair: `${a} / ${b}`,
    found: compare(first, second, Math.random),
  }))
  const [early = [], late = []] = call.planted.map(name => control.get(name) ?? [])
  const planted = compare(early, late, Math.random)
  const isDetected = planted.verdict === 'a usable difference'
  const isSame = answers.size === 1
  const text = [
    `POST ${call.path}`,
    ...table([['class', 'median', 'quartiles'], ...[...classes].map(([name, samples]) => [name, ...spread(samples)])]),
    '',
    ...table([heading, ...pairs.map(({ pair, found }) => row(pair, found)), row(`control: ${call.planted.join(' / ')}`, planted)]),
    '',
    isDetected ? `The added delay of ${addedDelay} ms was detected.` : `VOID: the added delay of ${addedDelay} ms was not detected.`,
    isSame ? 'All responses are byte for byte the same.' : `THE RESPONSES DIFFER:\n${different(answers)}`,
  ].join('\n')
  const verdicts = pairs.map(({ found }) => found.verdict)
  if (!isDetected) return { finding: 'void', text }
  if (!isSame || verdicts.includes('a usable difference')) return { finding: 'a difference', text }
  return { finding: verdicts.includes('inconclusive, more samples') ? 'too few samples' : 'nothing', text }
}

const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((first, i) => items.slice(i + 1).map((second): [T, T] => [first, second]))

const heading = ['pair', 'AUC (99 %)', 't', 't (fast)', 'medians (95 %)', 'verdict']
const row = (pair: string, { auc, t, tOfFast, medianDifference: { at, low, high }, verdict }: Comparison): string[] => [
  pair,
  `${auc.at.toFixed(3)} (${auc.low.toFixed(3)} to ${auc.high.toFixed(3)})`,
  t.toFixed(1),
  tOfFast.toFixed(1),
  `${signed(at)} ms (${signed(low)} to ${signed(high)})`,
  verdict,
]
const signed = (ms: number) => `${ms < 0 ? '-' : '+'}${Math.abs(ms).toFixed(2)}`

const spread = (samples: readonly number[]): string[] => {
  const ordered = sorted(samples)
  const at = (q: number) => quantile(ordered, q).toFixed(2)
  return [`${at(0.5)} ms`, `${at(0.25)} to ${at(0.75)} ms`]
}

const different = (answers: Measured['answers']) =>
  [...answers].map(([bytes, names]) => `--- ${[...names].join(', ')}\n${bytes}`).join('\n')

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(cells => (cells[column] ?? '').length)))
  return rows.map(cells => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}
