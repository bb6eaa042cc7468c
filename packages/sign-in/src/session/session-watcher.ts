import { routes, SocketMessage } from '@gatehouse/wire'
import { createCalls } from '../calls/api.ts'
import { openSocket } from '../calls/socket.ts'
import type { Config } from '../config.ts'
import { logError } from '../log.ts'
import { explainFailure, explainMissingSession } from './explain.ts'
import { isFirstCheck, onSessionChange, type SessionChange } from './session-change.ts'

type State = 'signed-in' | 'signed-out'
type Listener = {
  onChange: (state: State) => void
  /** Called once if the first check fails. */
  onUnknown: (() => void) | undefined
}

/** Polls even while the socket is open, because a dead connection can look open. A signed-out page waits for a sign-in elsewhere. */
const pollMs = { open: 60_000, closed: 15_000, 'signed-out': 60_000 }

/** The longest wait for the answer to a check. */
const checkMs = 10_000

const createWatcher = (config: Pick<Config, 'baseUrl' | 'socketUrl'>) => {
  const { post } = createCalls(config)
  const listeners = new Set<Listener & { told: State | 'unknown' | undefined }>()
  /** Undefined until a check has succeeded, `unknown` if one failed before. */
  let state: State | 'unknown' | undefined
  let socket: ReturnType<typeof openSocket> | undefined
  let isOpen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Aborts the running check. */
  let checking: AbortController | undefined
  let again = false
  let hasEnded = false
  let ignoreChanges: (() => void) | undefined

  const tell = () => {
    for (const listener of listeners) {
      if (state === undefined || listener.told === state) continue
      listener.told = state
      try {
        if (state === 'unknown') listener.onUnknown?.()
        else listener.onChange(state)
      } catch (error) {
        logError('the function given to watchSession threw', error)
      }
    }
  }

  const closeSocket = () => {
    socket?.close()
    socket = undefined
    isOpen = false
  }

  const openUpdates = () => {
    socket ??= openSocket(config.socketUrl, SocketMessage, {
      onMessage: ({ tag }) => {
        if (tag !== 'SessionEnded') return
        // The session may have been replaced by another one, for example after a reauthentication.
        hasEnded = true
        void check()
      },
      onStateChange: open => {
        isOpen = open
        // The session may have ended before the socket opened.
        void check()
      },
    })
  }

  const become = (next: State) => {
    state = next
    hasEnded = false
    if (next === 'signed-in') openUpdates()
    else closeSocket()
    tell()
  }

  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => (document.visibilityState === 'visible' ? void check() : wait(ms)), ms)
  }

  /** Runs one check at a time. A call during a check starts another check after it. */
  const check = async (): Promise<void> => {
    again = checking !== undefined
    if (again) return
    const running = new AbortController()
    checking = running
    const limit = setTimeout(() => running.abort(), checkMs)
    const reply = await post(routes.sessionCheck.path, {}, routes.sessionCheck.response, running.signal)
    clearTimeout(limit)
    if (checking !== running) return
    checking = undefined
    if (reply.ok && isFirstCheck(config) && !reply.value.signedIn) explainMissingSession(config)
    if (reply.ok) become(reply.value.signedIn ? 'signed-in' : 'signed-out')
    else if (hasEnded) become('signed-out')
    else if (state === undefined) {
      state = 'unknown'
      void explainFailure(config, reply.failure)
      tell()
    }
    // A listener may have stopped watching.
    if (listeners.size === 0) return
    if (again) return check()
    const usual = pollMs[state === 'signed-out' ? state : isOpen ? 'open' : 'closed']
    wait(reply.ok ? usual : Math.max(usual, (reply.failure.retryAfter ?? 0) * 1000))
  }

  const checkWhenVisible = () => {
    if (document.visibilityState === 'visible') void check()
  }

  /** Checks after a change by this page. Aborts a running check, because its answer may be older than the change. */
  const checkAfter = (change: SessionChange) => {
    checking?.abort()
    checking = undefined
    // Listeners must hear of the session's end even if it ends before a check sees it.
    if (change === 'began') for (const listener of listeners) if (listener.told === 'signed-out') listener.told = undefined
    void check()
  }

  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && void check()

  const start = () => {
    window.addEventListener('online', checkWhenVisible)
    document.addEventListener('visibilitychange', checkWhenVisible)
    // The back/forward cache keeps no page with an open socket.
    window.addEventListener('pagehide', closeSocket)
    window.addEventListener('pageshow', onPageShow)
    ignoreChanges = onSessionChange(checkAfter)
    void check()
  }

  const stop = () => {
    window.removeEventListener('online', checkWhenVisible)
    document.removeEventListener('visibilitychange', checkWhenVisible)
    window.removeEventListener('pagehide', closeSocket)
    window.removeEventListener('pageshow', onPageShow)
    ignoreChanges?.()
    clearTimeout(timer)
    checking?.abort()
    checking = undefined
    state = undefined
    hasEnded = false
    closeSocket()
  }

  return {
    watch: (callbacks: Listener) => {
      const listener = { ...callbacks, told: undefined }
      listeners.add(listener)
      if (listeners.size === 1) start()
      // A session may have begun since the last check, for example in the handler that now watches.
      else if (state === 'signed-out') void check()
      else queueMicrotask(tell)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
  }
}

const watchers = new Map<string, ReturnType<typeof createWatcher>>()

/** The watcher of a server. All parts of a page that watch the same server share it. */
export const watcherOf = (config: Pick<Config, 'baseUrl' | 'socketUrl'>) => {
  const watcher = watchers.get(config.baseUrl) ?? createWatcher(config)
  watchers.set(config.baseUrl, watcher)
  return watcher
}
