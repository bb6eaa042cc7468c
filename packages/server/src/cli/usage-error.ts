/** Thrown for a command that cannot run as given. */
export class UsageError extends Error {}
