/** Messages between tabs of one browser about its session. */
type TabMessage = { type: 'signed-in' } | { type: 'signed-out' } | { type: 'left-sign-in' }

/** The name of the channel that the account page and the sign-in page share. */
const channelName = 'gatehouse'

const isTabMessage = (data: unknown): data is TabMessage =>
  typeof data === 'object' &&
  data !== null &&
  'type' in data &&
  (data.type === 'signed-in' || data.type === 'signed-out' || data.type === 'left-sign-in')

/**
 * The key of the time at which a tab last announced a sign-in, or that it left the sign-in page. That tab stores the time for the other
 * tabs, and in its own session storage, so that it ignores its own announcement.
 */
const toldKey = 'gatehouse-signed-in'

const noteSignIn = () => {
  const now = String(Date.now())
  try {
    localStorage.setItem(toldKey, now)
    sessionStorage.setItem(toldKey, now)
  } catch {
    // Storage can be off, or full.
  }
}

/** Whether another tab announced a sign-in while this page was loading and could not listen yet. */
const hasMissedSignIn = () => {
  try {
    const told = localStorage.getItem(toldKey)
    return told !== sessionStorage.getItem(toldKey) && Number(told) > performance.timeOrigin
  } catch {
    return false
  }
}

/** Sends messages to the other tabs of this browser and receives theirs. */
export const openOtherTabs = () => {
  const channel = new BroadcastChannel(channelName)
  return {
    send: (message: TabMessage) => {
      if (message.type !== 'signed-out') noteSignIn()
      channel.postMessage(message)
    },
    hasMissedSignIn,
    /** Returns a function that stops listening. */
    listen: (type: TabMessage['type'], then: () => void) => {
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        if (isTabMessage(data) && data.type === type) then()
      }
      channel.addEventListener('message', onMessage)
      return () => channel.removeEventListener('message', onMessage)
    },
    close: () => channel.close(),
  }
}

/**
 * Checks the session whenever the page becomes visible: another browser or an administrator may have ended it.
 * @param isSignedIn resolves to `undefined` if the answer is unknown
 * @returns a function that stops the checks
 */
export const whenSignedOutElsewhere = (isSignedIn: () => Promise<boolean | undefined>, then: () => void) => {
  const look = async () => {
    if (document.visibilityState === 'visible' && (await isSignedIn()) === false) then()
  }
  const onChange = () => void look()
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
