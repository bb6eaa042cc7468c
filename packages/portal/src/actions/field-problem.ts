import type { Failure } from '@gatehouse/sign-in'
import { type ErrorCode, maxNameLength } from '@gatehouse/wire'
import { accountTexts } from '../messages/current.ts'

/**
 * Splits a message such as `password: is wrong.` into the refused field and the problem, without
 * the period.
 */
export const fieldProblem = ({ message }: Pick<Failure, 'message'>): { field: string; problem: string } | undefined => {
  const [, field, problem] = /^(\w+): (.+?)\.?$/s.exec(message) ?? []
  return field && problem ? { field, problem } : undefined
}

/** The text about a name that the server refuses. */
export const nameProblemText = (code: ErrorCode | undefined): string => {
  const { missing, untypable, tooLong, length, refused } = accountTexts.names
  if (code === 'NameMissing') return missing
  if (code === 'NameUntypable') return untypable
  if (code === 'NameTooLong') return tooLong(maxNameLength)
  return code === 'NameLength' ? length(maxNameLength) : refused
}
