/** What the probe measures in the page. Times are in milliseconds since the navigation; null if not reached. */
export type Seen = {
  /** The field for the email address or user name is visible and enabled. */
  visible: number | null
  /** The entered text has arrived in the field. Null again if the page removes it. */
  usable: number | null
  /** Frames since the text arrived. */
  frames: number
  wiped: number
  /** React has hydrated the field. */
  hydrated: number | null
  paint: number | null
  largest: number | null
  longTasks: { start: number; duration: number }[]
  /** Sum of all layout shifts, including those right after an input. */
  shift: number
  /** The text in the field. */
  value: string
}

/** The binding that the probe calls when the benchmark must enter text. */
export const wanted = 'benchWantsText'

/** The property of `window` that holds the measurements. */
export const seenAs = 'benchSeen'

type ProbeOptions = {
  wanted: string
  seenAs: string
  host: string | undefined
  /** Ask every 250 ms while the field is empty; if false, ask once. */
  untilKept: boolean
}

/**
 * Runs in the page before any other script and checks every frame. Playwright serializes this function, so it must not use
 * anything outside itself.
 */
export const probe = ({ wanted, seenAs, host, untilKept }: ProbeOptions): void => {
  const seen: Seen = {
    visible: null,
    usable: null,
    frames: 0,
    wiped: 0,
    hydrated: null,
    paint: null,
    largest: null,
    longTasks: [],
    shift: 0,
    value: '',
  }
  Reflect.set(window, seenAs, seen)

  const observe = (type: string, hear: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(hear)).observe({ type, buffered: true })
  observe('longtask', ({ startTime, duration }) => void seen.longTasks.push({ start: startTime, duration }))
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.paint = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.largest = startTime
  })
  observe('layout-shift', entry => {
    seen.shift += Reflect.get(entry, 'value')
  })

  const name = ['type=email', 'name=email', 'name=username', 'name=identifier', 'autocomplete~=username', 'autocomplete~=email']
  const selector = name.map(condition => `input[${condition}]`).join(',')
  const root = () => {
    if (!host) return document
    const element = document.querySelector(host)
    return element?.shadowRoot ?? element
  }
  const isUsable = (field: HTMLInputElement) => {
    if (field.disabled || field.readOnly || field.closest('[inert]')) return false
    const { width, height } = field.getBoundingClientRect()
    return width > 2 && height > 2 && field.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }

  let arrived: number | undefined
  addEventListener(
    'input',
    () => {
      arrived = performance.now()
    },
    true,
  )
  let asked: number | undefined
  const look = () => {
    const now = performance.now()
    const field = [...(root()?.querySelectorAll<HTMLInputElement>(selector) ?? [])].find(isUsable)
    if (!field) {
      seen.usable = null
    } else {
      seen.visible ??= now
      seen.value = field.value
      // On each element that it has created or hydrated, React stores the element's props under a key with this prefix.
      if (seen.hydrated === null && Object.keys(field).some(key => key.startsWith('__reactProps'))) seen.hydrated = now
      if (field.value) {
        if (seen.usable === null) {
          seen.usable = arrived ?? now
          seen.frames = 0
        }
        seen.frames++
      } else {
        if (seen.usable !== null) seen.wiped++
        seen.usable = null
        if (asked === undefined || (untilKept && now - asked > 250)) {
          asked = now
          field.focus()
          Reflect.get(window, wanted)('')
        }
      }
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
