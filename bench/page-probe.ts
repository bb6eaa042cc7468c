/** What the page itself sees of its load; all times in milliseconds since the navigation began, null until it has happened. */
export type Seen = {
  /** The field for the e-mail address or user name can be seen and typed into. */
  visible: number | null
  /** A text put there arrived; taken back if the page wipes it. */
  usable: number | null
  /** Frames that the text has been there for. */
  frames: number
  wiped: number
  /** React has taken the field over. */
  hydrated: number | null
  paint: number | null
  largest: number | null
  longTasks: { start: number; duration: number }[]
  /** Every shift of the layout, those just after an input as well. */
  shift: number
  /** What is in the field. */
  value: string
}

/** What the page calls when it wants something typed. */
export const wanted = 'benchWantsText'

/** The name under which a page keeps what it has seen. */
export const seenAs = 'benchSeen'

type ProbeOptions = {
  wanted: string
  seenAs: string
  host: string | undefined
  /** Whether to ask over and over while the field is empty, or once. */
  untilKept: boolean
}

/**
 * Runs in the page before anything of it does, and looks at each frame. It stands for itself: nothing outside of it is there when it
 * runs.
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
      // React keeps its own on each element that it has made or taken over, under a name that begins so.
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
