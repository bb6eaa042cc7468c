import type { ErrorCode } from '@gatehouse/wire'

/** A request that makes no sense. Its message is for the caller, names the field and quotes no value. */
export class BadInput extends Error {
  readonly code: ErrorCode | undefined

  constructor(message: string, code?: ErrorCode) {
    super(message)
    this.code = code
  }
}
