import { asciiDigits } from '@gatehouse/language/digits.ts'
import type { Failure } from '@gatehouse/sign-in'
import { type Factor, type OwnAccount, type PushLink, parseVerificationCode, type SecondFactorType } from '@gatehouse/wire'
import type { Problem } from '../actions/action-state.ts'
import { fieldProblem, nameProblemText } from '../actions/field-problem.ts'
import { factorName } from '../factor-name.ts'
import { accountTexts } from '../messages/current.ts'

type Listed = OwnAccount['factors'][number]

/** The actions on second factors. `Scan` is the second step of `Add`, and `Enrol` that of `AddPhone`. */
export type FactorAction =
  | { is: 'Add' }
  | { is: 'Scan'; factor: Factor }
  | { is: 'AddPhone' }
  | { is: 'Enrol'; link: PushLink }
  | { is: 'Rename'; factor: Listed }
  | { is: 'Remove'; factor: Listed; isLast: boolean }

const words = () => accountTexts.factors

/** The name that the page shows. */
export const nameOf = (factor: Listed): string => factorName(factor, words().authenticatorApp)

export const titleOf = (action: FactorAction): string => {
  switch (action.is) {
    case 'Add':
    case 'Scan':
      return words().add.title
    case 'AddPhone':
    case 'Enrol':
      return words().phone.title
    case 'Rename':
      return words().rename.title
    case 'Remove':
      return words().remove.title(nameOf(action.factor))
  }
}

/** The six digits as the wire sends them. */
export const readCode = (text: string) => parseVerificationCode(asciiDigits(text))

/** A name that no other factor has. The phone sends its own name when it is set up. */
export const provisionalName = (factors: readonly Listed[]): string => {
  const taken = new Set(factors.map(({ factorFriendlyName }) => factorFriendlyName.toLowerCase()))
  let nth = 1
  while (taken.has(words().phone.provisional(nth).toLowerCase())) nth++
  return words().phone.provisional(nth)
}

type PasskeyUse = 'SignIn' | 'SecondFactor' | 'None'

/** What a passkey can do. A server that sends no `use` accepts every passkey for sign-in. `undefined` for other factors. */
export const passkeyUse = ({ factorFactorType, passkey }: Listed): PasskeyUse | undefined =>
  factorFactorType === 'Passkey' ? (passkey?.use ?? 'SignIn') : undefined

/** Whether the factor is a passkey that signs its user in without a password. */
export const signsInAlone = (factor: Listed): boolean => passkeyUse(factor) === 'SignIn'

/** Whether the factor is a passkey that its user can reauthenticate with. */
export const reauthenticates = (factor: Listed): boolean => {
  const use = passkeyUse(factor)
  return use === 'SignIn' || use === 'SecondFactor'
}

/**
 * Whether the factor is the only one that a sign-in requires. A passkey that was added automatically is not required, so the user can
 * always remove it.
 */
export const isLastRequired = (factors: readonly Listed[], factor: Listed): boolean => {
  const required = factors.filter(({ passkey }) => !passkey?.optional)
  return required.length === 1 && required[0] === factor
}

/** The effects of removing a factor. */
export const removalText = ({ factor, isLast }: Pick<Extract<FactorAction, { is: 'Remove' }>, 'factor' | 'isLast'>): string => {
  const { textOfLastPasskey, textOfLastPhone, textOfLast, textOfPasskey, textOfPhone, text } = words().remove
  switch (factor.factorFactorType ?? 'TOTP') {
    case 'TOTP':
      return isLast ? textOfLast : text
    case 'Push':
      return isLast ? textOfLastPhone : textOfPhone
    case 'Passkey':
      return isLast ? textOfLastPasskey : textOfPasskey
  }
}

/** The buttons that add a factor, in the order of the page. Passkeys have their own section and calls. */
export const addButtons = (): Record<Exclude<SecondFactorType, 'Passkey'>, { label: string; action: FactorAction }> => ({
  TOTP: { label: words().add.open, action: { is: 'Add' } },
  Push: { label: words().phone.open, action: { is: 'AddPhone' } },
})

/** The tag beside a factor's name. Passkeys need none, because they have their own section. */
export const tagOf = (type: SecondFactorType): string | null => {
  switch (type) {
    case 'TOTP':
    case 'Passkey':
      return null
    case 'Push':
      return words().phone.tag
  }
}

/** Returns the problem that the dialog shows for a refusal. For `undefined`, it shows `failureMessage`. */
export const factorProblem = (failure: Failure): Problem | undefined => {
  const { status, code } = failure
  if (code === 'FactorLast') return { at: 'page', message: words().lastStays }
  if (code === 'FactorMissing') return { at: 'page', message: accountTexts.recovery.first }
  const refused = fieldProblem(failure)
  switch (refused?.field) {
    case 'verifyTOTPFactorRequestCode':
      return { at: 'otp', message: words().wrongCode }
    case 'name':
      return { at: 'factorFriendlyName', message: words().nameTaken }
    case 'passkey':
      return { at: 'page', message: words().lastWay }
    case 'factorFriendlyName':
    case 'factorCreationRequestFriendlyName':
      return { at: 'factorFriendlyName', message: nameProblemText(code) }
  }
  if (status === 410) return { at: 'page', message: words().over }
  if (status === 404) return { at: 'page', message: words().gone }
  return undefined
}
