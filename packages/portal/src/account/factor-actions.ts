import type { Failure } from '@gatehouse/sign-in'
import { type Factor, type OwnAccount, type PushLink, parseVerificationCode } from '@gatehouse/wire'
import type { Problem } from '../actions/action-state.ts'
import { englishAccount } from '../messages/en-account.ts'

type Listed = OwnAccount['factors'][number]

/** What can be done with second factors; `Scan` is the second step of `Add`, and `Enrol` that of `AddPhone`. */
export type FactorAct =
  | { is: 'Add' }
  | { is: 'Scan'; factor: Factor }
  | { is: 'AddPhone' }
  | { is: 'Enrol'; link: PushLink }
  | { is: 'Rename'; factor: Listed }
  | { is: 'Remove'; factor: Listed; isLast: boolean }

const words = englishAccount.factors

export const titleOf = (what: FactorAct): string => {
  switch (what.is) {
    case 'Add':
    case 'Scan':
      return words.add.title
    case 'AddPhone':
    case 'Enrol':
      return words.phone.title
    case 'Rename':
      return words.rename.title
    case 'Remove':
      return words.remove.title(what.factor.factorFriendlyName)
  }
}

/** The six digits, as the wire has them. */
export const readCode = parseVerificationCode

/** A name that no other one has; the phone says its own as soon as it is set up. */
export const provisionalName = (factors: readonly Listed[]): string => {
  const taken = new Set(factors.map(({ factorFriendlyName }) => factorFriendlyName.toLowerCase()))
  let nth = 1
  while (taken.has(words.phone.provisional(nth).toLowerCase())) nth++
  return words.phone.provisional(nth)
}

/** What is said before one is taken away. */
export const removalText = ({ factor, isLast }: Extract<FactorAct, { is: 'Remove' }>): string => {
  const { textOfLastPhone, textOfLast, textOfPhone, text } = words.remove
  if (factor.factorFactorType === 'Push') return isLast ? textOfLastPhone : textOfPhone
  return isLast ? textOfLast : text
}

/** Where a refusal is said; `undefined` leaves it to the server's own words. */
export const factorProblem = ({ message, status, code }: Failure): Problem | undefined => {
  if (/^verifyTOTPFactorRequestCode: /.test(message)) return { at: 'otp', message: words.wrongCode }
  if (/^name: /.test(message)) return { at: 'factorFriendlyName', message: words.nameTaken }
  const [, unfit] = /^factor(?:CreationRequest)?FriendlyName: (.+)$/s.exec(message) ?? []
  if (unfit) return { at: 'factorFriendlyName', message: words.nameUnfit(unfit) }
  if (code === 'SecondFactorRequired') return { at: 'page', message: words.lower }
  if (status === 410) return { at: 'page', message: words.over }
  if (status === 404) return { at: 'page', message: words.gone }
  return undefined
}
