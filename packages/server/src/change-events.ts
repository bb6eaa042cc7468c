/** Notifies listeners in this process that something changed. Listeners read the change itself from the database. */
export const createChangeEvents = () => {
  const listeners = new Set<() => void>()
  return {
    /** Call it after the change is committed. */
    publish: () => {
      for (const listener of listeners) listener()
    },
    /** @returns a function that unsubscribes */
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
export type ChangeEvents = ReturnType<typeof createChangeEvents>
