import { accountRoutes, administrationRoutes, routes } from '@gatehouse/wire'
import { ada } from './harness.ts'

/** Every call of the wire. */
const calls = { ...routes, ...accountRoutes }

type PostName = Exclude<keyof typeof calls, 'featuresCheck' | 'userFactorAddPush' | 'userFactorPushProgress' | 'userFactorPushAgain'>

const otp = {
  otpUsername: ada.username,
  otpPassword: ada.password,
  otpVerification: 123_456,
  otpFactorUUID: '00000000-0000-4000-8000-000000000000',
}
const pair = { authTokenSelector: 'some-selector', authTokenToken: 'some-token' }
const claim = { selector: 'some-selector', token: 'some-token' }
const newPassword = { newpassword: 'a long new password', newpasswordverification: 'a long new password' }
const byAda = { authenticateduser: ada.username }

/** A body that each call takes. A new call without one does not type-check. */
export const bodies: Record<PostName, unknown> = {
  getAuthTokenWithError: { ...ada, useragent: '' },
  plowlogin: { ...pair, authTokenUserAgent: '', authTokenExpires: '2026-11-20T03:00:00Z', authTokenUser: 'some-user' },
  loginWithToken: pair,
  verifyOTP: otp,
  setupOTP: otp,
  resetOTP: otp,
  recoveryCode: { otpUsername: ada.username, otpPassword: ada.password, otpRecoveryCode: 'abcd-efgh-2345-wxyz' },
  newFactor: claim,
  sendPasswordResetEmail: { useremail: ada.username },
  resetPassword: { username: ada.username, resettoken: 'some-selector.some-token', ...newPassword },
  magiclinkSend: [{ email: ada.username, redirect: { tag: 'RedirectSSOLogin', contents: 'Google' } }],
  magiclinkRedeem: claim,
  mailLinkLook: { kind: 'OneTimeLink', ...claim },
  logoutByUserId: 'some-user',
  logoutBySelf: {},
  userAdd: { username: 'grace@example.com', ...byAda, timezone: 'UTC' },
  userUpdate: { userid: 'some-user', ...byAda, timezone: 'UTC' },
  userDelete: { userident: ada.username, ...claim },
  userByUsername: { username: ada.username, ...byAda },
  userPasswordReset: { useridentity: ada.username, oldpassword: ada.password, newpassword: 'a long new password' },
  userPasswordUpdate: { useridentity: ada.username, oldpassword: ada.password, ...newPassword },
  userPasswordCreate: { useridentity: ada.username, ...newPassword },
  continueSignIn: {},
  userProviderLink: { provider: 'Google', password: ada.password },
  userProviderUnlink: { provider: 'Google', password: ada.password },
  userRecoveryCodes: {},
  userAccount: {},
  userActivity: { more: '1795143600000.some-row' },
  userTimeZone: { userTZLabel: 'Europe/Amsterdam' },
  userPasswordConfirm: { password: ada.password },
  userSessionEnd: { sessionId: 'some-session' },
  userSessionEndOthers: {},
  userFactorAdd: {
    factorCreationRequestIdentity: ada.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'TOTP',
  },
  userFactorVerify: { verifyTOTPFactorRequestFactorUUID: otp.otpFactorUUID, verifyTOTPFactorRequestCode: otp.otpVerification },
  userFactorRename: { factorUUID: otp.otpFactorUUID, factorFriendlyName: 'Phone' },
  userFactorRemove: { factorUUID: otp.otpFactorUUID },
  userRecoveryCodesAnew: {},
  userEmailChange: { newemail: 'new@example.com', password: ada.password },
  userEmailConfirm: claim,
  sessionCheck: {},
  returnFragment: { returnId: 'some-id', returnFragment: '#fragment' },
}

const ofUser = { userId: 'some-user' }
/** The same for the calls of the administration page. */
const administrationBodies: Record<keyof typeof administrationRoutes, unknown> = {
  overview: {},
  users: { search: 'ada', filter: 'All', after: 'begins ada' },
  user: ofUser,
  mails: {},
  board: { range: 'Day' },
  add: { userIdent: 'grace@example.com', userTZLabel: 'UTC' },
  unlock: ofUser,
  forceReset: ofUser,
  endSessions: ofUser,
  removeFactor: { ...ofUser, factorUUID: 'some-factor' },
  remove: { ...ofUser, userIdent: ada.username },
}

/** Every POST of the wire with a body that it takes. */
export const posts = [
  ...Object.entries(bodies).map(([name, body]) => ({ name, path: calls[name as PostName].path, body })),
  ...Object.entries(administrationBodies).map(([name, body]) => ({
    name,
    path: administrationRoutes[name as keyof typeof administrationRoutes].path,
    body,
  })),
]
