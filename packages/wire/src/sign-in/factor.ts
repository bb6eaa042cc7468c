import * as v from 'valibot'
import { carrying, type Infer, maybe, otherTag, shape, utcTime } from '../format/decode.ts'
import { isStorable } from '../format/text.ts'
import { isUUID } from './checks.ts'

/** A UUID by the rule of §5. */
export const uuid = v.pipe(
  v.string(),
  v.check(text => isUUID(text) && isStorable(text), 'expected a UUID'),
)

/** Schema of FactorType. These two are the specification's, and other clients and servers refuse any third: do not add one here. */
export const factorType = v.picklist(['Push', 'TOTP'])
/** Schema of SecondFactorType. Add new types here (docs/adding-a-factor.md). */
export const secondFactorType = v.picklist([...factorType.options, 'Passkey'])
/** Schema of FactorStatus. */
export const factorStatus = v.picklist(['Unverified', 'Verified'])

/** The stored name of an authenticator app that its user has not named. Pages show it in their own language. */
export const unnamedAuthenticator = 'Authenticator app'

/** The six digits of a verification code as an integer: 012345 is 12345 (§5). */
export const verificationCode = v.pipe(
  v.number(),
  v.check(code => Number.isInteger(code) && code >= 0 && code <= 999_999, 'expected an integer from 0 to 999999'),
)

const totpBinding = v.object({
  factorTOTPBindingFactorUUID: uuid,
  factorTOTPBindingSecret: v.string(),
  factorTOTPBindingAlg: v.string(),
  factorTOTPBindingURI: v.string(),
})

const pushBinding = v.object({
  factorPushBindingFactorUUID: uuid,
  factorPushBindingPublicKey: v.string(),
  factorPushBindingAlg: v.string(),
})

/** Schema of FactorBinding. */
export const factorBinding = v.variant(
  'tag',
  [carrying('PushBinding', pushBinding), carrying('TOTPBinding', totpBinding)],
  otherTag('expected a PushBinding or a TOTPBinding'),
)

/** Schema of Factor. */
export const factor = v.object({
  factorUUID: uuid,
  factorIdentity: v.string(),
  factorBinding: maybe(factorBinding),
  factorFriendlyName: v.string(),
  factorStatus,
  factorFactorType: factorType,
  factorDateCreated: utcTime,
  factorDateVerified: maybe(utcTime),
  factorDateLastUsed: maybe(utcTime),
})

/** A second factor of a user (§3). */
export const Factor = shape('Factor', factor)
export type Factor = Infer<typeof Factor>

/** A code from an authenticator app, or a challenge on an enrolled phone (§1). */
export const FactorType = shape('FactorType', factorType)
export type FactorType = Infer<typeof FactorType>

/** The types of second factors that Gatehouse supports: the specification's, and any it adds. */
export type SecondFactorType = v.InferOutput<typeof secondFactorType>

/** Whether the user has verified the factor (§4). */
export const FactorStatus = shape('FactorStatus', factorStatus)
export type FactorStatus = Infer<typeof FactorStatus>

/** The credential of a factor (§3): a TOTP secret in base32 with its `otpauth:` URI, or a phone's public key. */
export const FactorBinding = shape('FactorBinding', factorBinding)
export type FactorBinding = Infer<typeof FactorBinding>
