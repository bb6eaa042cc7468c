import type { SignInBoard, SignInOutcome, SignInWay } from '@gatehouse/wire'
import { administrationTexts as words } from '../messages/current.ts'
import { failures, firstWays, type Look, type Shown, secondWays, stepsOf } from './look.ts'

/** One series of a chart, with its counts by hour or day. `look` is its color and pattern, the same in every chart. */
export type Series = { look: Look; name: string; counts: number[]; total: number }
export type Figure = { title: string; text: string; series: Series[]; totals: number[]; total: number }

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

/** The sum of the selected series, slot by slot. */
const added = ({ slots, series }: SignInBoard, wanted: (way: SignInWay, outcome: SignInOutcome) => boolean): number[] =>
  slots.map((_, slot) => sum(series.filter(({ way, outcome }) => wanted(way, outcome)).map(({ counts }) => counts[slot] ?? 0)))

const seriesOf = (board: SignInBoard, look: Look): Series => {
  const { ways, outcomes } = stepsOf(look)
  const counts = added(board, (way, outcome) => ways.includes(way) && outcomes.includes(outcome))
  return { look, name: lookName(look), counts, total: sum(counts) }
}

/** Leaves out series without counts. */
const figure = ({ title, text }: { title: string; text: string }, all: Series[]): Figure => {
  const series = all.filter(({ total }) => total > 0)
  const totals = (all[0]?.counts ?? []).map((_, slot) => sum(series.map(({ counts }) => counts[slot] ?? 0)))
  return { title, text, series, totals, total: sum(totals) }
}

export const lookName = (look: Shown): string => {
  const { outcomeNames, wayNames, withoutFactor } = words.board
  if (look === 'Failed') return words.board.tiles.failed
  if (look === 'WithoutFactor') return withoutFactor
  return look in outcomeNames ? outcomeNames[look as SignInOutcome] : wayNames[look as SignInWay]
}

/** The three charts of the board, and the totals above them. */
export const boardFigures = (board: SignInBoard) => {
  const { outcomes, ways, factors } = words.board
  const byOutcome = figure(
    outcomes,
    (['SignedIn', 'WrongPassword', 'WrongCode', 'Locked', 'ForcedReset', 'Refused'] as const).map(outcome => seriesOf(board, outcome)),
  )
  const byWay = figure(
    ways,
    firstWays.map(way => seriesOf(board, way)),
  )
  const byFactor = figure(factors, [...secondWays.map(way => seriesOf(board, way)), seriesOf(board, 'WithoutFactor')])
  const total = (...wanted: SignInOutcome[]) => sum(added(board, (_, outcome) => wanted.includes(outcome)))
  return {
    figures: [byOutcome, byWay, byFactor],
    signedIn: total('SignedIn'),
    failed: total(...failures),
    locked: total('Locked'),
    isEmpty: board.series.every(({ counts }) => sum(counts) === 0),
  }
}
