import { type ErrorCode, maxPasswordBytes, utf8ByteLength } from '@gatehouse/wire'
import type { FieldProblem } from '@gatehouse/wire/page-props'
import { portalTexts } from '../messages/current.ts'
import { isOwnKey } from '../messages/own-key.ts'

const words = () => portalTexts.newPassword

const tooLong = () => words().tooLong(String(maxPasswordBytes), maxPasswordBytes)

/** The text about a password that the server refuses. */
export const refusedPasswordText = (code: ErrorCode | undefined): string => {
  const { problems, refused } = words()
  if (code === 'PasswordTooLong') return tooLong()
  return isOwnKey(problems, code) ? problems[code] : refused
}

/**
 * What is wrong with a new password. The server checks more.
 * @param least minimum length in code points after NFC, as the server counts
 */
export const newPasswordProblem = (password: string, again: string, least: number): FieldProblem | undefined => {
  const given = [...password.normalize('NFC')].length
  if (given === 0) return { at: 'password', message: words().missing }
  if (given < least) return { at: 'password', message: words().tooShort(least, given) }
  if (utf8ByteLength(password) > maxPasswordBytes) return { at: 'password', message: tooLong() }
  if (again !== password) return { at: 'again', message: words().different }
  return undefined
}
