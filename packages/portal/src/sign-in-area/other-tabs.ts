/** What tabs of one browser tell each other of its one session. */
type TabNews = { type: 'signed-in' } | { type: 'signed-out' } | { type: 'left-sign-in' }

/** Under this name tabs hear each other; the sign-in page listens there as well. */
const channelName = 'gatehouse'

const isNews = (data: unknown): data is TabNews =>
  typeof data === 'object' &&
  data !== null &&
  'type' in data &&
  (data.type === 'signed-in' || data.type === 'signed-out' || data.type === 'left-sign-in')

/** The other tabs of this browser: tells them who came and went, and hears it from them. */
export const openOtherTabs = () => {
  const channel = new BroadcastChannel(channelName)
  return {
    tell: (news: TabNews) => channel.postMessage(news),
    /** @returns what ends the listening */
    hear: (type: TabNews['type'], then: () => void) => {
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        if (isNews(data) && data.type === type) then()
      }
      channel.addEventListener('message', onMessage)
      return () => channel.removeEventListener('message', onMessage)
    },
    close: () => channel.close(),
  }
}

/**
 * Asks whether somebody is still signed in whenever the page is looked at again: another browser, or an administrator, may have ended the
 * session, and no tab of this one knows.
 * @param isSignedIn `undefined` where that cannot be told now
 * @returns what ends it
 */
export const whenSignedOutElsewhere = (isSignedIn: () => Promise<boolean | undefined>, then: () => void) => {
  const look = async () => {
    if (document.visibilityState === 'visible' && (await isSignedIn()) === false) then()
  }
  const onChange = () => void look()
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
