import type { ErrorCode } from '@gatehouse/wire'

/**
 * Thrown for invalid input. The message is for the caller, and names the field. It quotes a value only of a pass, which is no secret.
 * @param value what the code is about
 */
export class BadInput extends Error {
  readonly code: ErrorCode | undefined
  readonly value: string | undefined

  constructor(message: string, code?: ErrorCode, value?: string) {
    super(message)
    this.code = code
    this.value = value
  }
}
