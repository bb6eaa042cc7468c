import type { ErrorCode } from '@gatehouse/wire'

/** Thrown for invalid input. The message is for the caller, names the field, and quotes no value. */
export class BadInput extends Error {
  readonly code: ErrorCode | undefined

  constructor(message: string, code?: ErrorCode) {
    super(message)
    this.code = code
  }
}
