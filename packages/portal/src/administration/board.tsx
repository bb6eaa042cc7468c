import { Icon } from '@gatehouse/ui/icons/icons.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { type BoardRange, boardRanges } from '@gatehouse/wire'
import { useCallback } from 'react'
import { administrationTexts as words } from '../messages/current.ts'
import { numberText } from '../messages/intl.ts'
import shared from './administration.module.css'
import styles from './board.module.css'
import { BoardChart } from './board-chart.tsx'
import { boardFigures } from './board-figures.ts'
import { attemptsAt } from './board-table.tsx'
import { Choices } from './choices.tsx'
import { Reading } from './reading.tsx'
import type { Route } from './route.ts'
import { RouteLink } from './route-link.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'

/** Sign-ins, failures and lockouts over time. */
export const Board = ({ range, api, dates, isNavigated, visit, base, zone }: SectionProps & { range: BoardRange }) => {
  const read = useCallback((signal: AbortSignal) => api.board(range, signal), [api, range])
  const [state, again] = useRead(read)
  const { board } = words
  return (
    <>
      <Title focused={isNavigated}>{board.title}</Title>
      <Text>{board.text(zone)}</Text>
      <Choices name={board.rangesLabel} all={boardRanges} current={range} labels={board.ranges} to={one => ({ at: 'board', range: one })} />
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {found => {
          const { figures, signedIn, failed, locked, isEmpty } = boardFigures(found)
          if (isEmpty) return <p className={shared.empty}>{board.empty}</p>
          return (
            <>
              <dl className={styles.tiles}>
                <Tile name={board.tiles.signedIn} value={signedIn} to={attemptsAt('SignedIn', found.slots)} />
                <Tile name={board.tiles.failed} value={failed} to={attemptsAt('Failed', found.slots)} />
                <Tile name={board.tiles.locked} value={locked} to={attemptsAt('Locked', found.slots)} />
              </dl>
              <p className={shared.note}>{board.openHint}</p>
              {figures.map(figure => (
                <BoardChart key={figure.title} figure={figure} slots={found.slots} step={found.step} dates={dates} />
              ))}
            </>
          )
        }}
      </Reading>
    </>
  )
}

/** The arrow that marks a tile as a link. */
const GoIcon = ({ className }: { className: string | undefined }) => (
  <Icon size={16} className={className}>
    <path d="m7 4 5 5-5 5" />
  </Icon>
)

/** A number. The whole tile links to the attempts that it counts, if there are any. */
const Tile = ({ name, value, to }: { name: string; value: number; to: Route }) => (
  <div className={styles.tile}>
    <dt className={styles.tileName}>
      {value === 0 ? (
        name
      ) : (
        <RouteLink to={to} className={styles.tileLink}>
          {name}
          <GoIcon className={styles.tileSign} />
        </RouteLink>
      )}
    </dt>
    <dd className={styles.tileValue}>{numberText(value)}</dd>
  </div>
)
