import type { ReactNode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { logError } from './log.ts'
import { reactProblem } from './react-version.ts'
import { SignIn, type SignInOptions } from './sign-in.tsx'

/** Options of `mountSignIn`. */
export type MountOptions = SignInOptions & {
  /** Told why the area was not mounted: no element in time, or React before 19. The console has the same sentence. */
  onMountFailed?: (message: string) => void
}

// §2: up to 100 tries, 50 ms apart.
const tries = 100
const gapMs = 50

/**
 * Mounts the sign-in area into an element of the page. The element may come late: it is looked for 100 times, 50 ms
 * apart, the first time at once. Markup that the server rendered there is hydrated; anything else in it is replaced.
 * @param target the element, its id, or a selector: `'root'` and `'#root'` mean the same
 * An element that has the area already keeps it as it is, and the console has a warning.
 * @returns `unmount`: takes the area away again, or stops looking for the element
 */
export const mountSignIn = (target: Element | string, { onMountFailed, ...options }: MountOptions = {}): (() => void) => {
  let unmount = () => {}
  let waiting: ReturnType<typeof setTimeout> | undefined

  const fail = (message: string) => {
    logError(message)
    onMountFailed?.(message)
  }

  const attempt = (left: number) => {
    const element = typeof target === 'string' ? find(target) : target
    if (element) {
      unmount = mount(element, options)
    } else if (left > 1) {
      waiting = setTimeout(attempt, gapMs, left - 1)
    } else {
      fail(`no element for '${target}' after ${tries} tries, ${gapMs} ms apart; sign-in is not mounted`)
    }
  }
  if (reactProblem === undefined) attempt(tries)
  else fail(reactProblem)

  return () => {
    clearTimeout(waiting)
    unmount()
  }
}

type Area = { root: Root; isThere?: boolean; isTold?: boolean; unmount: () => void }

const areas = new WeakMap<Element, Area>()
let mounts = 0

const mount = (element: Element, options: SignInOptions) => {
  const before = areas.get(element)
  if (before?.isThere) {
    if (!before.isTold) logError('sign-in is already mounted in this element; unmount it first')
    before.isTold = true
    return before.unmount
  }
  const signIn = <SignIn key={mounts++} {...options} />
  const root = before?.root ?? rootIn(element, signIn)
  before?.root.render(signIn)
  const area: Area = {
    root,
    isThere: true,
    unmount: () => {
      if (!area.isThere) return
      area.isThere = false
      root.render(null)
      // A React host unmounts in an effect, where React refuses to end another root. StrictMode mounts again right after.
      queueMicrotask(() => {
        if (areas.get(element) === area && areas.delete(element)) root.unmount()
      })
    },
  }
  areas.set(element, area)
  return area.unmount
}

const rootIn = (element: Element, signIn: ReactNode) => {
  if (element.querySelector(':scope > [data-gatehouse]')) return hydrateRoot(element, signIn)
  const root = createRoot(element)
  root.render(signIn)
  return root
}

const find = (target: string) => {
  const byId = document.getElementById(target.replace(/^#/, ''))
  if (byId) return byId
  try {
    return document.querySelector(target)
  } catch {
    // An id such as `a:b` is no selector.
    return null
  }
}
