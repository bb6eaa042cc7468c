import { plainPages, type SecondFactorType } from '@gatehouse/wire'
import { takesCode } from '../../factors/factor-strategies.ts'

/**
 * The path of the page that verifies one of these factor types without a script. Users whose factors take no code see no field for codes.
 */
export const verificationPath = (types: readonly SecondFactorType[]): string =>
  pathOf(types.find(takesCode) ?? types.find(type => type !== 'Passkey') ?? types[0] ?? 'TOTP')

const pathOf = (type: SecondFactorType): string => {
  switch (type) {
    case 'TOTP':
      return plainPages.secondFactor
    case 'Push':
      return plainPages.approveOnPhone
    case 'Passkey':
      return plainPages.usePasskey
  }
}
