import { englishAccount, type Failure } from '@gatehouse/sign-in'
import { type Factor, type OwnAccount, parseVerificationCode } from '@gatehouse/wire'
import type { Problem } from './own-act-state.ts'

type Listed = OwnAccount['factors'][number]

/** What can be done with authenticators; `Scan` is the second step of `Add`. */
export type FactorAct =
  | { is: 'Add' }
  | { is: 'Scan'; factor: Factor }
  | { is: 'Rename'; factor: Listed }
  | { is: 'Remove'; factor: Listed; isLast: boolean }

const words = englishAccount.factors

export const titleOf = (what: FactorAct): string => {
  switch (what.is) {
    case 'Add':
    case 'Scan':
      return words.add.title
    case 'Rename':
      return words.rename.title
    case 'Remove':
      return words.remove.title(what.factor.factorFriendlyName)
  }
}

/** The six digits, as the wire has them. */
export const readCode = parseVerificationCode

/** Where a refusal is said; `undefined` leaves it to the server's own words. */
export const factorProblem = ({ message, status }: Failure): Problem | undefined => {
  if (/^verifyTOTPFactorRequestCode: /.test(message)) return { at: 'otp', message: words.wrongCode }
  if (/^name: /.test(message)) return { at: 'factorFriendlyName', message: words.nameTaken }
  const [, unfit] = /^factor(?:CreationRequest)?FriendlyName: (.+)$/s.exec(message) ?? []
  if (unfit) return { at: 'factorFriendlyName', message: words.nameUnfit(unfit) }
  if (/^factor: sign in/.test(message)) return { at: 'page', message: words.lower }
  if (status === 410) return { at: 'page', message: words.over }
  if (status === 404) return { at: 'page', message: words.gone }
  return undefined
}
