/** Passes on, within this process, that something was changed that somebody may be waiting for. What it was is read from the tables. */
export const createNews = () => {
  const listeners = new Set<() => void>()
  return {
    /** Told once the change is committed. */
    tell: () => {
      for (const listener of listeners) listener()
    },
    /** @returns ends it */
    listen: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
export type News = ReturnType<typeof createNews>
