import fc from 'fast-check'
import { secondFactorType } from './factors.ts'
import { assertion } from './passkeys.ts'
import { provider } from './sign-in.ts'
import { any, count, flag, listedPass, origin, passScope, record, time, uuid, word } from './values.ts'

const newPassword = (others: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(record(others), word)
    .map(([body, newpassword]) => Object.assign({}, body, { newpassword, newpasswordverification: newpassword }))
const activity = record(
  { rows: fc.array(record({ kind: fc.constantFrom('SignedIn', 'PasswordWrong', 'Other'), at: time }, { from: origin })) },
  { more: any },
)

/** The user, and the account page. */
export const accountArbitraries: Record<string, fc.Arbitrary<unknown>> = {
  User: record({ userIdent: any, userTZLabel: any }, { userPassword: any, userAzureId: any, userGoogleId: any, userPakId: any }),
  Email: record({ emailEmail: any }, { emailUser: any, emailVerkey: any }),
  FailedLogin: record({
    failedLoginAttempts: fc.maxSafeNat(),
    failedLoginLockCreated: time,
    failedLoginLockExpires: time,
    failedLoginUserIdent: any,
  }),
  ResetToken: record({ resetTokenToken: any, resetTokenUser: any, resetTokenExpires: time }),
  UserAddRequest: record({ username: word, authenticateduser: word, timezone: word }),
  UserUpdateRequest: record({ authenticateduser: word, userid: word }, { timezone: word }),
  DeleteRequest: record({ userident: word, selector: word, token: word }),
  UsernameRequest: record({ username: word, authenticateduser: word }),
  PasswordResetRequest: record({ userEmail: word }),
  PasswordResetEmailRequest: record({ useremail: word }),
  ResetWithTokenRequest: newPassword({ username: word, resettoken: word }),
  PasswordResetResult: record({ passkeys: fc.array(any, { maxLength: 3 }) }),
  ResetWithOldPasswordRequest: record({ useridentity: word, oldpassword: word, newpassword: word }),
  UpdatePasswordRequest: newPassword({ useridentity: word, oldpassword: word }),
  CreatePasswordRequest: newPassword({ useridentity: word }),
  RecoveryCodes: record({ recoveryCodes: fc.array(any) }),
  EmailChangeRequest: record({ newemail: word, password: word }, { credential: assertion }),
  ProviderRequest: record({ provider, password: word }, { credential: assertion }),
  PassRequest: record({ name: word, ...passScope, days: count }),
  PassEndRequest: record({ passId: word }),
  NewPass: record({ pass: any }),
  OwnPasses: record({
    passes: fc.array(record(listedPass, { used: time, usedFrom: any })),
    origins: fc.array(any),
    most: count,
  }),
  OwnAccount: record(
    {
      userIdent: any,
      userTZLabel: any,
      administrator: flag,
      hasPassword: flag,
      minPasswordLength: count,
      providers: fc.array(record({ provider, linked: flag })),
      sessions: fc.array(record({ sessionId: any, own: flag, sessionCreated: time, sessionSeen: time, from: origin })),
      browsers: fc.array(record({ browserId: any, own: flag, browserSignedIn: time }, { browserFirstSeen: time, from: origin })),
      factors: fc.array(
        record(
          { factorUUID: uuid, factorFriendlyName: any, factorDateCreated: time },
          {
            factorFactorType: secondFactorType,
            factorDateLastUsed: time,
            passkey: record(
              { credentialId: any, synced: flag, optional: flag },
              { provider: any, use: fc.constantFrom('SignIn', 'SecondFactor', 'None') },
            ),
          },
        ),
      ),
      mayChangeFactors: flag,
      mayBeWithout: flag,
      mostFactors: count,
      recoveryCodesLeft: count,
      skipsUsed: count,
      activity,
    },
    { userLanguage: word, mostPasskeys: count, passes: flag },
  ),
  Activity: activity,
  ActivityRequest: record({ more: word }),
  TimeZoneRequest: record({ userTZLabel: word }),
  LanguageRequest: record({ userLanguage: fc.oneof(word, fc.constant(null)) }),
  ConfirmPasswordRequest: record({ password: word }),
  SessionEndRequest: record({ sessionId: word }),
  BrowserForgetRequest: record({ browserId: word }),
  FactorRenameRequest: record({ factorUUID: uuid, factorFriendlyName: word }),
  FactorRemoveRequest: record({ factorUUID: uuid }),
}
