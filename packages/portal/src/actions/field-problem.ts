import type { Failure } from '@gatehouse/sign-in'

/** The field that the server refused, and what is wrong with it as the end of a sentence without its full stop: `password: is wrong`. */
export const fieldProblem = ({ message }: Pick<Failure, 'message'>): { field: string; problem: string } | undefined => {
  const [, field, problem] = /^(\w+): (.+?)\.?$/s.exec(message) ?? []
  return field && problem ? { field, problem } : undefined
}
