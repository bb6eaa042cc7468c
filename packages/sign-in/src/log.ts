/**
 * The one way to the console: for what §8 wants "only written to the console", for a widget that found no element, and
 * for a host's own fault.
 */
export const logError = (message: string, ...details: unknown[]) => {
  // biome-ignore lint/suspicious/noConsole: §8 asks for these lines
  console.error(`Gatehouse: ${message}`, ...details)
}
