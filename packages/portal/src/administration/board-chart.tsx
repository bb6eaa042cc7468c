import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import type { DateTimeFormat } from '@gatehouse/wire'
import { useContext, useEffect, useId, useRef, useState } from 'react'
import { administrationTexts as words } from '../messages/current.ts'
import { numberText } from '../messages/intl.ts'
import styles from './board.module.css'
import type { Figure } from './board-figures.ts'
import { attemptsAt, BoardTable } from './board-table.tsx'
import type { Look } from './look.ts'
import { NavigationContext, RouteLink } from './route-link.tsx'

type BoardChartProps = { figure: Figure; slots: string[]; step: 'Hour' | 'Day'; dates: DateTimeFormat }

/** A chart with its legend, and the same data as a table. Screen readers always get the table; other users can open it. */
export const BoardChart = ({ figure, slots, step, dates }: BoardChartProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const [isTable, setTable] = useState(false)
  const [isFailed, setFailed] = useState(false)
  const id = useId()
  const { title, text, series, total } = figure
  const { go } = useContext(NavigationContext)

  useEffect(() => {
    const [bars, colors] = [canvas.current, legend.current]
    if (!bars || !colors) return
    let clear = () => {}
    let isGone = false
    import('./draw-chart.ts').then(
      ({ drawChart }) => {
        if (isGone) return
        const labels = slots.map(at => (step === 'Hour' ? dates.time(at) : dates.day(at)))
        clear = drawChart(bars, colors, { labels, series, open: (look, slot) => go(attemptsAt(look, slots, slot)) })
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      clear()
    }
  }, [series, slots, step, dates, go])

  return (
    <section className={styles.figure} aria-labelledby={id}>
      <div className={styles.figureHead}>
        <h2 className={styles.figureTitle} id={id}>
          {title}
        </h2>
        {total > 0 && <LinkButton onClick={() => setTable(!isTable)}>{isTable ? words.board.hideTable : words.board.showTable}</LinkButton>}
      </div>
      <p className={styles.figureText}>{text}</p>
      {total === 0 ? (
        <p className={styles.figureText}>{words.board.emptyChart}</p>
      ) : (
        <>
          {isFailed ? (
            <p className={styles.figureText}>{words.board.chartFailed}</p>
          ) : (
            <div className={styles.canvas} aria-hidden="true">
              <canvas ref={canvas} />
            </div>
          )}
          <ul className={styles.legend} ref={legend}>
            {series.map(({ look, name, total: all }) => (
              <li key={look}>
                <RouteLink to={attemptsAt(look, slots)} className={styles.legendItem}>
                  <span className={styles.swatchBox} aria-hidden="true">
                    <canvas className={`${styles.swatch} ${lookClass(look)}`} width={28} height={28} data-look={look} />
                  </span>
                  <span>{name}</span> <span className={styles.legendTotal}>{numberText(all)}</span>
                </RouteLink>
              </li>
            ))}
          </ul>
          <div className={isTable || isFailed ? styles.tableShown : styles.tableUnseen}>
            <BoardTable figure={figure} slots={slots} step={step} dates={dates} shown={isTable || isFailed} />
          </div>
        </>
      )}
    </section>
  )
}

const lookClass = (look: Look) => styles[`look${look}`] ?? ''
