import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../packages/wire/fixtures')

type Message = { tag: string; contents?: unknown }

/** A golden message of the wire format, by its file name. */
export const golden = (name: string): Message => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

/** All golden messages of a type, for example each case of `AuthOutcome`. */
export const everyGolden = (kind: string) =>
  readdirSync(folder)
    .filter(file => file.startsWith(`${kind}.`))
    .map(file => golden(file.replace(/\.json$/, '')))

export const factorUUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const factorUri: string =
  'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse&algorithm=SHA1&digits=6&period=30'

export const outcome = {
  success: golden('AuthOutcome.AuthSuccessful'),
  failedLogin: golden('AuthOutcome.AuthFailureFailedLogin'),
  forcedReset: golden('AuthOutcome.AuthFailureForcedReset'),
  needsCode: golden('AuthOutcome.AuthRequires2FA'),
  needsFactor: golden('AuthOutcome.AuthRequiresFactorCreation'),
  needsReset: golden('AuthOutcome.AuthRequiresFactorReset'),
  invalidCode: {
    tag: 'AuthFailureFactorError',
    contents: { tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } },
  },
}

/** The exact texts of §8. */
export const sentence = {
  failedLogin: 'You have failed to login. Make sure that your email and password are correct.',
  forcedReset: 'Your password has been reset by an administrator. Please reset your password.',
  resetEmailSent: 'A password reset link has been sent to your email. If you do not receive the reset link, please check your spam folder.',
  magicLinkSent: 'A One Time Link has been sent to your email. If you do not receive the email, please check your spam folder.',
}

/** Bodies with status 200 that no sign-in call can decode. */
export const malformedBodies: Record<string, string> = {
  'an empty body': '',
  'no JSON': '<!doctype html><title>Proxy</title>',
  'half a body': '{"tag":"AuthSuccessful","contents":{"authTokenSel',
  null: 'null',
  'a list': '[]',
  'an empty object': '{}',
  'an unknown tag': '{"tag":"AuthSurprise","contents":[]}',
  'a tag without its contents': '{"tag":"AuthSuccessful"}',
  'a token without its half': '{"tag":"AuthSuccessful","contents":{"authTokenSelector":"a"}}',
  'a factor of no type': '{"tag":"AuthRequiresFactorCreation","contents":{"factorUUID":"7c9e6679-7425-40de-944b-e07fc1f90ae7"}}',
  'a factor id that is none': '{"tag":"AuthRequiresFactorReset","contents":"no-uuid"}',
}
