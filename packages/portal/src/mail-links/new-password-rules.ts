import { type ErrorCode, maxPasswordBytes } from '@gatehouse/wire'
import type { FieldProblem } from '@gatehouse/wire/page-props'
import { portalTexts } from '../messages/current.ts'
import { isOwnKey } from '../messages/own-key.ts'

const words = () => portalTexts.newPassword

/** The text about a password that the server refuses. `problem` is the server's end of a sentence, for a code that the page does not know. */
export const refusedPasswordText = (problem: string, code: ErrorCode | undefined): string => {
  const { problems, tooLong, tooWeak, refused } = words()
  if (code === 'PasswordTooLong') return tooLong(String(maxPasswordBytes), maxPasswordBytes)
  if (isOwnKey(problems, code)) return problems[code]
  return problem.startsWith('is too ') ? tooWeak(problem) : refused(problem)
}

/**
 * What is wrong with a new password. The server checks more.
 * @param least minimum length in code points after NFC, as the server counts
 */
export const newPasswordProblem = (password: string, again: string, least: number): FieldProblem | undefined => {
  const given = [...password.normalize('NFC')].length
  if (given === 0) return { at: 'password', message: words().missing }
  if (given < least) return { at: 'password', message: words().tooShort(least, given) }
  if (again !== password) return { at: 'again', message: words().different }
  return undefined
}
