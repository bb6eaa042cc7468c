import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { type BoardRange, boardRanges } from '@gatehouse/wire'
import { useCallback } from 'react'
import shared from './administration.module.css'
import styles from './board.module.css'
import { BoardChart } from './board-chart.tsx'
import { boardFigures } from './board-figures.ts'
import { Reading } from './reading.tsx'
import { RouteLink } from './route-link.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'
import { words } from './words.ts'

const { board } = words

/** Sign-ins, failures and locks over time. */
export const Board = ({ range, api, dates, isNavigated, visit, base, zone }: SectionProps & { range: BoardRange }) => {
  const read = useCallback((signal: AbortSignal) => api.board(range, signal), [api, range])
  const [state, again] = useRead(read)
  return (
    <>
      <Title focused={isNavigated}>{board.title}</Title>
      <Text>{board.text(zone)}</Text>
      <nav className={shared.choices} aria-label={board.rangesLabel}>
        {boardRanges.map(one => (
          <RouteLink key={one} to={{ at: 'board', range: one }} className={shared.choice} aria-current={one === range ? 'true' : undefined}>
            {board.ranges[one]}
          </RouteLink>
        ))}
      </nav>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {found => {
          const { figures, signedIn, failed, locked, isEmpty } = boardFigures(found)
          if (isEmpty) return <p className={shared.empty}>{board.empty}</p>
          return (
            <>
              <dl className={styles.tiles}>
                <Tile name={board.tiles.signedIn} value={signedIn} />
                <Tile name={board.tiles.failed} value={failed} />
                <Tile name={board.tiles.locked} value={locked} />
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

const Tile = ({ name, value }: { name: string; value: number }) => (
  <div className={styles.tile}>
    <dt className={styles.tileName}>{name}</dt>
    <dd className={styles.tileValue}>{value.toLocaleString('en-GB')}</dd>
  </div>
)
