/** Thrown by a check: the server breaks the rule. */
export class Broken extends Error {}

/**
 * Thrown by a check that cannot run: an account is missing, or the server does not offer the call.
 */
export class NotChecked extends Error {}

/** @throws Broken */
export const broken = (found: string): never => {
  throw new Broken(found)
}

/** @throws NotChecked */
export const notChecked = (reason: string): never => {
  throw new NotChecked(reason)
}

/** @throws Broken unless the condition holds */
export const must: (holds: boolean, found: string) => asserts holds = (holds, found) => {
  if (!holds) throw new Broken(found)
}
