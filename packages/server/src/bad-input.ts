import type { ErrorCode } from '@gatehouse/wire'

/**
 * Thrown for invalid input. The message is for the caller, and names the field. It quotes only values that are not
 * secret, such as the name of a group or an address in the scope of a pass.
 * @param value the value that `code` is about
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
