import { generateKeyPairSync } from 'node:crypto'
import { accountRoutes, administrationRoutes, approverRoutes, passkeyRoutes, pushRoutes, type Route, routes } from '@gatehouse/wire'
import { ada } from './harness.ts'

const calls = { ...routes, ...accountRoutes }

type PostName = Exclude<keyof typeof calls, 'featuresCheck' | 'originCheck'>

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

/** A valid body for each call. A new call without one does not compile. */
export const bodies: Record<PostName, unknown> = {
  getAuthTokenWithError: { ...ada, useragent: '' },
  plowlogin: { ...pair, authTokenUserAgent: '', authTokenExpires: '2026-11-20T03:00:00Z', authTokenUser: 'some-user' },
  loginWithToken: pair,
  handOver: pair,
  verifyOTP: otp,
  setupOTP: otp,
  resetOTP: otp,
  recoveryCode: { otpUsername: ada.username, otpPassword: ada.password, otpRecoveryCode: 'abcd-efgh-2345-wxyz' },
  magiclinkWait: {},
  magiclinkCode: { code: 'ABCD-EFGH' },
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
  userLanguage: { userLanguage: 'en' },
  userPasswordConfirm: { password: ada.password },
  userSessionEnd: { sessionId: 'some-session' },
  userSessionEndOthers: {},
  userBrowserForget: { browserId: 'some-browser' },
  userBrowserForgetOthers: {},
  userPasses: {},
  userPassAdd: { name: 'Backup', to: ['https://prometheus.example.com/*'], methods: [], from: [], days: 30 },
  userPassEnd: { passId: 'some-pass' },
  userFactorAdd: {
    factorCreationRequestIdentity: ada.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'TOTP',
  },
  userFactorVerify: { verifyTOTPFactorRequestFactorUUID: otp.otpFactorUUID, verifyTOTPFactorRequestCode: otp.otpVerification },
  userFactorAddPush: {
    factorCreationRequestIdentity: ada.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'Push',
  },
  userFactorPushProgress: { factorUUID: otp.otpFactorUUID },
  userFactorPushAgain: { factorUUID: otp.otpFactorUUID },
  userFactorRename: { factorUUID: otp.otpFactorUUID, factorFriendlyName: 'Phone' },
  userFactorRemove: { factorUUID: otp.otpFactorUUID },
  userRecoveryCodesAnew: {},
  userEmailChange: { newemail: 'new@example.com', password: ada.password },
  userEmailConfirm: claim,
  sessionCheck: {},
  returnFragment: { returnId: 'some-id', returnFragment: '#fragment' },
}

const ofUser = { userId: 'some-user' }
/** Valid bodies for the calls of the administration page. */
const administrationBodies: Record<keyof typeof administrationRoutes, unknown> = {
  overview: {},
  users: { search: 'ada', filter: 'All', after: 'begins ada' },
  user: ofUser,
  mails: {},
  board: { range: 'Day' },
  attempts: { from: '2026-11-20T02:00:00Z', until: '2026-11-20T03:00:00Z', ways: ['Password'], outcomes: ['SignedIn'] },
  add: { userIdent: 'grace@example.com', userTZLabel: 'UTC' },
  unlock: ofUser,
  forceReset: ofUser,
  endSessions: ofUser,
  endSession: { ...ofUser, sessionId: 'some-session' },
  sendLink: ofUser,
  setGroups: { ...ofUser, groups: ['oncall'] },
  removeFactor: { ...ofUser, factorUUID: 'some-factor' },
  remove: { ...ofUser, userIdent: ada.username },
  passes: { search: 'backup', holders: 'Services', after: '1795140067512 some-pass' },
  addPass: { service: 'backup', name: 'Backup', to: ['https://prometheus.example.com/*'], methods: [], from: [], days: 30 },
  endPass: { passId: 'some-pass' },
  endPasses: { service: 'backup' },
}

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')
const proof = { factorUUID: otp.otpFactorUUID, nonce: 'some-nonce', signature: 'some-signature' }
/** Valid bodies for phone approval, as sent by the waiting browser and by the phone. */
const pushBodies: Record<keyof typeof pushRoutes, unknown> = {
  pushChallenge: { ...otp, otpVerification: null, otpFactorUUID: null },
  pushStatus: {},
}
const approverBodies: Record<keyof typeof approverRoutes, unknown> = {
  enrol: { ...claim, publicKey, alg: 'ES256', friendlyName: 'Phone' },
  nonce: {},
  pending: proof,
  answer: {
    factorUUID: otp.otpFactorUUID,
    challengeUUID: otp.otpFactorUUID,
    number: '012345',
    decision: 'Approve',
    signature: proof.signature,
  },
  subscribe: {
    ...proof,
    subscription: {
      endpoint: 'https://push.example.net/some-device',
      keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') },
    },
  },
  leave: proof,
}

const bytes = 'c29tZSBieXRlcw'
const credential = { id: bytes, rawId: bytes, type: 'public-key' }
const assertion = { ...credential, response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes } }
const attestation = { ...credential, response: { clientDataJSON: bytes, attestationObject: bytes, transports: ['internal'] } }
const firstFactor = { otpUsername: ada.username, otpPassword: ada.password }
/** Well-formed bodies for the calls of passkeys. No authenticator signed them. */
const passkeyBodies: Record<keyof typeof passkeyRoutes, unknown> = {
  passkeyOptions: { purpose: 'SignIn' },
  passkeySignIn: { credential: assertion },
  passkeyVerify: { ...firstFactor, credential: assertion },
  passkeySetUp: { ...firstFactor, credential: attestation },
  passkeyConfirm: { credential: assertion },
  passkeyAddOptions: {},
  passkeyAdd: { credential: attestation },
  passkeyUpgrade: { credential: attestation },
  passkeySignals: {},
}

const namedPosts = (routes: Record<string, Route>, bodies: Record<string, unknown>) =>
  Object.entries(bodies).map(([name, body]) => ({ name, path: routes[name]?.path ?? '', body }))

/** Every POST of the wire format, with a valid body. */
export const posts = [
  ...namedPosts(calls, bodies),
  ...namedPosts(administrationRoutes, administrationBodies),
  ...namedPosts(pushRoutes, pushBodies),
  ...namedPosts(approverRoutes, approverBodies),
  ...namedPosts(passkeyRoutes, passkeyBodies),
]
