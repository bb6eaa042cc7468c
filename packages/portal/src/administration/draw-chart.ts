import { BarController, BarElement, CategoryScale, Chart, type ChartEvent, LinearScale, Tooltip } from 'chart.js'
import { administrationTexts as words } from '../messages/current.ts'
import { numberText } from '../messages/intl.ts'
import type { Series } from './board-figures.ts'
import type { Look } from './look.ts'

// Register only what is drawn, so that the bundle leaves out the rest of the library.
Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

type Drawn = {
  labels: string[]
  series: Series[]
  /** Opens the list of the attempts that one bar counts. `look` is the bar's series, and `slot` is the index of its hour or day. */
  open: (look: Look, slot: number) => void
}

/** Draws stacked bars, and the legend's swatches in the same colors and patterns. @returns a function that removes them */
export const drawChart = (canvas: HTMLCanvasElement, legend: HTMLElement, { labels, series, open }: Drawn) => {
  let chart: Chart | undefined
  /** The bar under the pointer. */
  const barAt = ({ native }: ChartEvent) => {
    const [bar] = native && chart ? chart.getElementsAtEventForMode(native, 'nearest', { intersect: true }, true) : []
    const look = bar && series[bar.datasetIndex]?.look
    return look && { look, slot: bar.index }
  }
  const draw = () => {
    chart?.destroy()
    const swatches = new Map([...legend.querySelectorAll('canvas')].map(swatch => [swatch.dataset.look, swatch]))
    const card = getComputedStyle(legend).backgroundColor
    const datasets = series.map(({ look, name, counts }) => {
      const swatch = swatches.get(look)
      // Scripts can't resolve a custom property, but they can read an element's color.
      const colour = getComputedStyle(swatch ?? legend).color
      const fill = fillOf(look, colour, card)
      if (swatch) drawSwatch(swatch, fill)
      return { label: name, data: counts, backgroundColor: fill, borderColor: card, borderWidth: { top: 1 }, maxBarThickness: 36 }
    })
    const { color: text, fontFamily: family } = getComputedStyle(legend)
    const { direction } = getComputedStyle(legend)
    const isRightToLeft = direction === 'rtl'
    const grid = getComputedStyle(legend).borderTopColor
    const ticks = { color: text, font: { family, size: 13 } }
    chart = new Chart(canvas, {
      type: 'bar',
      data: { labels, datasets },
      options: {
        // Movement would carry no information.
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        onClick: event => {
          const bar = barAt(event)
          if (bar) open(bar.look, bar.slot)
        },
        onHover: event => {
          canvas.style.cursor = barAt(event) ? 'pointer' : ''
        },
        plugins: {
          tooltip: {
            animation: false,
            titleFont: ticks.font,
            bodyFont: ticks.font,
            filter: ({ raw }) => Number(raw) > 0,
            callbacks: { label: ({ dataset, raw }) => words.board.barOf(dataset.label ?? '', numberText(Number(raw))) },
            rtl: isRightToLeft,
            textDirection: direction,
          },
        },
        scales: {
          // Time runs in the direction of reading.
          x: {
            reverse: isRightToLeft,
            stacked: true,
            grid: { display: false },
            border: { color: grid },
            ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 },
          },
          y: {
            position: isRightToLeft ? 'right' : 'left',
            stacked: true,
            beginAtZero: true,
            grid: { color: grid },
            border: { display: false },
            ticks: { ...ticks, precision: 0, callback: count => numberText(Number(count)) },
          },
        },
      },
    })
  }
  draw()
  const queries = [window.matchMedia('(prefers-color-scheme: dark)'), needsPatterns]
  for (const query of queries) query.addEventListener('change', draw)
  return () => {
    for (const query of queries) query.removeEventListener('change', draw)
    chart?.destroy()
  }
}

const drawSwatch = (swatch: HTMLCanvasElement, fill: string | CanvasPattern) => {
  const pen = swatch.getContext('2d')
  if (!pen) return
  const { width, height } = swatch
  pen.clearRect(0, 0, width, height)
  pen.fillStyle = fill
  pen.fillRect(0, 0, width, height)
}

/** Whether the user asks for more contrast or forced colors. Other users get plain colors, and a table. */
const needsPatterns = window.matchMedia('(prefers-contrast: more), (forced-colors: active)')

/** Patterns distinguish the bars without their colors. */
type Pattern = 'solid' | 'rising' | 'falling' | 'dots' | 'level' | 'upright'
const patterns: Record<Look, Pattern> = {
  SignedIn: 'solid',
  Passed: 'solid',
  WrongPassword: 'rising',
  WrongCode: 'dots',
  Locked: 'upright',
  ForcedReset: 'level',
  Refused: 'falling',
  Password: 'solid',
  OneTimeLink: 'falling',
  Google: 'rising',
  Azure: 'dots',
  Pak: 'level',
  TOTP: 'solid',
  Push: 'falling',
  RecoveryCode: 'dots',
  Skip: 'level',
  Passkey: 'upright',
  PasskeyFactor: 'rising',
  WithoutFactor: 'upright',
}

const size = 8

const fillOf = (look: Look, colour: string, card: string): string | CanvasPattern => {
  const pattern = patterns[look]
  if (pattern === 'solid' || !needsPatterns.matches) return colour
  const tile = Object.assign(document.createElement('canvas'), { width: size, height: size })
  const pen = tile.getContext('2d')
  if (!pen) return colour
  pen.fillStyle = colour
  pen.fillRect(0, 0, size, size)
  // Thin and translucent: strong patterns flicker while the page scrolls, and hide the color.
  pen.strokeStyle = card
  pen.fillStyle = card
  pen.globalAlpha = 0.5
  pen.lineWidth = 1.5
  pen.beginPath()
  // Draw past the tile's corners, so that adjacent tiles join.
  for (const [fromX, fromY, toX, toY] of lines[pattern]) {
    pen.moveTo(fromX, fromY)
    pen.lineTo(toX, toY)
  }
  pen.stroke()
  if (pattern === 'dots') for (const at of [2, 6]) pen.fillRect(at - 1.5, at - 1.5, 3, 3)
  return pen.createPattern(tile, 'repeat') ?? colour
}

const lines: Record<Exclude<Pattern, 'solid'>, readonly (readonly [number, number, number, number])[]> = {
  rising: [
    [-2, size + 2, size + 2, -2],
    [-2, 2, 2, -2],
    [size - 2, size + 2, size + 2, size - 2],
  ],
  falling: [
    [-2, -2, size + 2, size + 2],
    [size - 2, -2, size + 2, 2],
    [-2, size - 2, 2, size + 2],
  ],
  level: [[0, size / 2, size, size / 2]],
  dots: [],
  upright: [[size / 2, 0, size / 2, size]],
}
