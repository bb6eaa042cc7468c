import { type SignInBoard, type SignInOutcome, type SignInWay, signInWays } from '@gatehouse/wire'
import { words } from './words.ts'

/** One series of a chart, with its counts by hour or day. `look` is its color and pattern, the same in every chart. */
export type Series = { look: Look; name: string; counts: number[]; total: number }
export type Look = SignInOutcome | SignInWay | 'WithoutFactor'
export type Figure = { title: string; text: string; series: Series[]; totals: number[]; total: number }

const failures = ['WrongPassword', 'WrongCode', 'Locked', 'ForcedReset', 'Refused'] as const
const stepOf: Record<SignInWay, 'first' | 'second'> = {
  Password: 'first',
  OneTimeLink: 'first',
  Google: 'first',
  Azure: 'first',
  Pak: 'first',
  TOTP: 'second',
  Push: 'second',
  RecoveryCode: 'second',
  Skip: 'second',
  Passkey: 'first',
  PasskeyFactor: 'second',
}
const firstWays = signInWays.filter(way => stepOf[way] === 'first')
const secondWays = signInWays.filter(way => stepOf[way] === 'second')

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

/** The sum of the selected series, slot by slot. */
const added = ({ slots, series }: SignInBoard, wanted: (way: SignInWay, outcome: SignInOutcome) => boolean): number[] =>
  slots.map((_, slot) => sum(series.filter(({ way, outcome }) => wanted(way, outcome)).map(({ counts }) => counts[slot] ?? 0)))

const isOneOf = (all: readonly string[], one: string) => all.includes(one)

const seriesOf = (look: Look, name: string, counts: number[]): Series => ({ look, name, counts, total: sum(counts) })

/** Leaves out series without counts. */
const figure = ({ title, text }: { title: string; text: string }, all: Series[]): Figure => {
  const series = all.filter(({ total }) => total > 0)
  const totals = (all[0]?.counts ?? []).map((_, slot) => sum(series.map(({ counts }) => counts[slot] ?? 0)))
  return { title, text, series, totals, total: sum(totals) }
}

/** The three charts of the board, and the totals above them. */
export const boardFigures = (board: SignInBoard) => {
  const { outcomes, ways, factors, outcomeNames, wayNames, withoutFactor } = words.board
  const byOutcome = figure(
    outcomes,
    (['SignedIn', ...failures] as const).map(outcome =>
      seriesOf(
        outcome,
        outcomeNames[outcome],
        added(board, (_, one) => one === outcome),
      ),
    ),
  )
  const byWay = figure(
    ways,
    firstWays.map(way =>
      seriesOf(
        way,
        wayNames[way],
        added(board, (one, outcome) => one === way && (outcome === 'SignedIn' || outcome === 'Passed')),
      ),
    ),
  )
  const byFactor = figure(factors, [
    ...secondWays.map(way =>
      seriesOf(
        way,
        wayNames[way],
        added(board, (one, outcome) => one === way && outcome === 'SignedIn'),
      ),
    ),
    seriesOf(
      'WithoutFactor',
      withoutFactor,
      // A passkey alone is two factors.
      added(board, (way, outcome) => isOneOf(firstWays, way) && way !== 'Passkey' && outcome === 'SignedIn'),
    ),
  ])
  const total = (wanted: (outcome: SignInOutcome) => boolean) => sum(added(board, (_, outcome) => wanted(outcome)))
  return {
    figures: [byOutcome, byWay, byFactor],
    signedIn: total(outcome => outcome === 'SignedIn'),
    failed: total(outcome => isOneOf(failures, outcome) && outcome !== 'Locked'),
    locked: total(outcome => outcome === 'Locked'),
    isEmpty: board.series.every(({ counts }) => sum(counts) === 0),
  }
}
