/**
 * The only function that writes to the console: errors that §8 says are "only written to the console", and mistakes of the
 * embedding page.
 */
export const logError = (message: string, ...details: unknown[]) => {
  // biome-ignore lint/suspicious/noConsole: §8 asks for these lines
  console.error(`Gatehouse: ${message}`, ...details)
}
