/** One call at a time, which can be aborted. */
export const createSingleCall = () => {
  let running: AbortController | undefined
  return {
    /** Changes immediately, unlike state: of two clicks in one frame, the second finds a running call. */
    isRunning: () => running !== undefined,
    /** Returns the signal for the new call. */
    begin: () => {
      running = new AbortController()
      return running.signal
    },
    end: () => {
      running = undefined
    },
    /** Aborts the running call. */
    stop: () => {
      running?.abort()
      running = undefined
    },
  }
}
