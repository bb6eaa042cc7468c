import * as v from 'valibot'

/** A whole number, 0 or more. */
export const count = v.pipe(
  v.number(),
  v.check(n => Number.isSafeInteger(n) && n >= 0, 'expected a whole number, 0 or more'),
)
