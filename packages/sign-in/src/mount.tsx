import type { ReactNode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { logError } from './log.ts'
import { reactVersionError } from './react-version.ts'
import { SignIn, type SignInOptions } from './sign-in.tsx'

/** Options of `mountSignIn`. */
export type MountOptions = SignInOptions & {
  /** Receives the reason if the widget was not mounted: no element in time, or React before 19. The widget logs it too. */
  onMountFailed?: (message: string) => void
}

// §2: up to 100 tries, 50 ms apart.
const maxAttempts = 100
const delayMs = 50

/**
 * Mounts the widget in an element of the page. Looks for the element 100 times, 50 ms apart, so the page may add it later. Hydrates
 * markup that `<SignIn />` rendered on a server, and replaces any other content. If the element already contains the widget, it
 * logs a warning and changes nothing.
 * @param target the element, its ID or a selector: `'root'` and `'#root'` mean the same
 * @returns `unmount`, which removes the widget or stops looking for the element. Its `update` replaces all options
 */
export const mountSignIn = (target: Element | string, { onMountFailed, ...first }: MountOptions = {}): Unmount => {
  let options: SignInOptions = first
  let mounted: Mounted | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const fail = (message: string) => {
    logError(message)
    onMountFailed?.(message)
  }

  const attempt = (left: number) => {
    const element = typeof target === 'string' ? find(target) : target
    if (element) {
      mounted = mount(element, options)
    } else if (left > 1) {
      timer = setTimeout(attempt, delayMs, left - 1)
    } else {
      fail(`no element for '${target}' after ${maxAttempts} tries, ${delayMs} ms apart; sign-in is not mounted`)
    }
  }
  if (reactVersionError === undefined) attempt(maxAttempts)
  else fail(reactVersionError)

  const unmount = () => {
    clearTimeout(timer)
    mounted?.unmount()
  }
  const update = (next: SignInOptions) => {
    options = next
    mounted?.update(next)
  }
  return Object.assign(unmount, { update })
}

/** Removes the widget. `update` replaces all of its options; what the user typed stays. */
type Unmount = (() => void) & { update: (options: SignInOptions) => void }

type Mounted = { root: Root; isMounted?: boolean; hasWarned?: boolean; unmount: () => void; update: (options: SignInOptions) => void }

const mountedIn = new WeakMap<Element, Mounted>()
let mounts = 0

const mount = (element: Element, options: SignInOptions): Mounted => {
  const before = mountedIn.get(element)
  if (before?.isMounted) {
    if (!before.hasWarned) logError('sign-in is already mounted in this element; unmount it first')
    before.hasWarned = true
    return before
  }
  const key = mounts++
  const signIn = <SignIn key={key} {...options} />
  const root = before?.root ?? rootIn(element, signIn)
  before?.root.render(signIn)
  const mounted: Mounted = {
    root,
    isMounted: true,
    update: next => {
      if (mounted.isMounted) root.render(<SignIn key={key} {...next} />)
    },
    unmount: () => {
      if (!mounted.isMounted) return
      mounted.isMounted = false
      root.render(null)
      // React cannot unmount another root during an effect, where a React host calls this. StrictMode mounts again right after.
      queueMicrotask(() => {
        if (mountedIn.get(element) === mounted && mountedIn.delete(element)) root.unmount()
      })
    },
  }
  mountedIn.set(element, mounted)
  return mounted
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
    // An ID such as `a:b` is not a valid selector.
    return null
  }
}
