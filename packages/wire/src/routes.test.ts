import { describe, expect, it } from 'vitest'
import * as accountRoutes from './account/account-routes.ts'
import * as administrationRoutes from './administration/administration-routes.ts'
import type { Route } from './format/route.ts'
import { pages } from './pages.ts'
import * as passkeyRoutes from './passkey/passkey-routes.ts'
import * as approverRoutes from './push/approver-routes.ts'
import * as pushRoutes from './push/push-routes.ts'
import * as routes from './routes.ts'

// Written out from §7 and the decisions: changing a path breaks other clients.
const calls = {
  getAuthTokenWithError: 'POST /auth/page/plow/getAuthTokenWithError LoginRequest AuthOutcome',
  plowlogin: 'POST /auth/page/plow/plowlogin PlowLoginRequest Nothing',
  loginWithToken: 'POST /auth/page/plow/loginWithToken AuthenticationRequest Nothing',
  verifyOTP: 'POST /auth/page/plow/verifyOTP OTPRequest AuthOutcome',
  setupOTP: 'POST /auth/page/plow/setupOTP OTPRequest AuthOutcome',
  resetOTP: 'POST /auth/page/plow/resetOTP OTPRequest AuthOutcome',
  recoveryCode: 'POST /auth/page/plow/recoveryCode RecoveryCodeRequest AuthOutcome',
  newFactor: 'POST /auth/page/plow/newFactor MailLinkRequest AuthOutcome',
  continueSignIn: 'POST /auth/page/plow/continue ContinueRequest AuthOutcome',
  sendPasswordResetEmail: 'POST /auth/page/plow/sendPasswordResetEmail PasswordResetEmailRequest Nothing',
  resetPassword: 'POST /auth/page/plow/resetPassword ResetWithTokenRequest PasswordResetResult',
  magiclinkSend: 'POST /magiclink/send MagicLinkRequest MagicLinkAnswer',
  magiclinkRedeem: 'POST /magiclink/redeem MagicLinkRedeemRequest AuthOutcome',
  magiclinkWait: 'POST /magiclink/wait Empty MailWait',
  magiclinkCode: 'POST /magiclink/code MailCodeRequest AuthOutcome',
  mailLinkLook: 'POST /mail-link/look MailLinkLookRequest MailLink',
  logoutByUserId: 'POST /user/logout/by/user-id UserId Boolean',
  logoutBySelf: 'POST /user/logout/by/self Empty String',
  userAdd: 'POST /user/add UserAddRequest User',
  userUpdate: 'POST /user/update UserUpdateRequest User',
  userDelete: 'POST /user/delete DeleteRequest Nothing',
  userByUsername: 'POST /user/by/username UsernameRequest User',
  userPasswordReset: 'POST /user/password/reset ResetWithOldPasswordRequest Nothing',
  userPasswordUpdate: 'POST /user/password/update UpdatePasswordRequest Nothing',
  userPasswordCreate: 'POST /user/password/create CreatePasswordRequest Nothing',
  userRecoveryCodes: 'POST /user/recovery-codes Empty RecoveryCodes',
  userAccount: 'POST /user/account Empty OwnAccount',
  userActivity: 'POST /user/activity ActivityRequest Activity',
  userTimeZone: 'POST /user/time-zone TimeZoneRequest Nothing',
  userLanguage: 'POST /user/language LanguageRequest Nothing',
  userPasswordConfirm: 'POST /user/password/confirm ConfirmPasswordRequest Nothing',
  userSessionEnd: 'POST /user/session/end SessionEndRequest Nothing',
  userSessionEndOthers: 'POST /user/session/end-others Empty Nothing',
  userBrowserForget: 'POST /user/browser/forget BrowserForgetRequest Nothing',
  userBrowserForgetOthers: 'POST /user/browser/forget-others Empty Nothing',
  userPasses: 'POST /user/passes Empty OwnPasses',
  userPassAdd: 'POST /user/pass/add PassRequest NewPass',
  userPassEnd: 'POST /user/pass/end PassEndRequest Nothing',
  userFactorAdd: 'POST /user/factor/add FactorCreationRequest Factor',
  userFactorVerify: 'POST /user/factor/verify VerifyTOTPFactorRequest Nothing',
  userFactorAddPush: 'POST /user/factor/add-push FactorCreationRequest PushLink',
  userFactorPushProgress: 'POST /user/factor/push-progress PushProgressRequest PushProgress',
  userFactorPushAgain: 'POST /user/factor/push-again PushProgressRequest PushProgress',
  userFactorRename: 'POST /user/factor/rename FactorRenameRequest Nothing',
  userFactorRemove: 'POST /user/factor/remove FactorRemoveRequest Nothing',
  userRecoveryCodesAnew: 'POST /user/recovery-codes/anew Empty RecoveryCodes',
  userEmailChange: 'POST /user/email/change EmailChangeRequest Nothing',
  userEmailConfirm: 'POST /user/email/confirm MailLinkRequest Nothing',
  userProviderLink: 'POST /user/sso/link ProviderRequest Location',
  userProviderUnlink: 'POST /user/sso/unlink ProviderRequest Nothing',
  returnFragment: 'POST /return/fragment ReturnFragmentRequest Nothing',
  handOver: 'POST /auth/page/plow/handOver AuthenticationRequest Onward',
  sessionCheck: 'POST /session/check Empty SessionCheck',
  originCheck: 'GET /origin/check Empty OriginCheck',
  featuresCheck: 'GET /features/check FeatureQuery Features',
}

const administration = {
  overview: 'POST /administration/overview Empty AdministrationOverview',
  users: 'POST /administration/user/list UserListRequest UserList',
  user: 'POST /administration/user/look UserActRequest UserDetail',
  mails: 'POST /administration/mail/list Empty WaitingMails',
  board: 'POST /administration/sign-in/board BoardRequest SignInBoard',
  attempts: 'POST /administration/sign-in/list AttemptListRequest AttemptList',
  add: 'POST /administration/user/add UserAdditionRequest Nothing',
  unlock: 'POST /administration/user/unlock UserActRequest Nothing',
  forceReset: 'POST /administration/user/force-reset UserActRequest Nothing',
  endSessions: 'POST /administration/user/end-sessions UserActRequest Nothing',
  endSession: 'POST /administration/user/end-session SessionRemovalRequest Nothing',
  sendLink: 'POST /administration/user/send-link UserActRequest Nothing',
  setGroups: 'POST /administration/user/set-groups UserGroupsRequest Nothing',
  removeFactor: 'POST /administration/user/remove-factor FactorRemovalRequest Nothing',
  remove: 'POST /administration/user/delete UserRemovalRequest Nothing',
  passes: 'POST /administration/pass/list PassListRequest PassList',
  addPass: 'POST /administration/pass/add ServicePassRequest NewPass',
  endPass: 'POST /administration/pass/end PassEndRequest Nothing',
  endPasses: 'POST /administration/pass/end-all PassesEndRequest Nothing',
}

const approver = {
  enrol: 'POST /push/enrol PushEnrolmentRequest PushEnrolment',
  nonce: 'POST /push/nonce Empty PushNonce',
  pending: 'POST /push/pending PushProofRequest PushPending',
  answer: 'POST /push/answer PushAnswerRequest PushStatus',
  subscribe: 'POST /push/subscribe PushSubscribeRequest Nothing',
  leave: 'POST /push/leave PushProofRequest Nothing',
}

const push = {
  pushChallenge: 'POST /auth/page/plow/pushChallenge OTPRequest PushOutcome',
  pushStatus: 'POST /auth/page/plow/pushStatus Empty PushStatus',
}

const passkey = {
  passkeyOptions: 'POST /passkey/options PasskeyOptionsRequest PasskeyRequestOptions',
  passkeySignIn: 'POST /passkey/sign-in PasskeyRequest AuthOutcome',
  passkeyVerify: 'POST /passkey/verify PasskeyVerifyRequest AuthOutcome',
  passkeySetUp: 'POST /passkey/set-up PasskeySetUpRequest AuthOutcome',
  passkeyConfirm: 'POST /passkey/confirm PasskeyRequest Nothing',
  passkeyAddOptions: 'POST /passkey/add-options Empty PasskeyCreationOptions',
  passkeyAdd: 'POST /passkey/add PasskeyAddRequest PasskeyAdded',
  passkeyUpgrade: 'POST /passkey/upgrade PasskeyAddRequest PasskeyAdded',
  passkeySignals: 'POST /passkey/signals Empty PasskeySignals',
}

describe('routes', () => {
  it('are exactly the calls of the specification and the decisions', () => {
    const tableOf = (all: Record<string, Route>) =>
      Object.fromEntries(
        Object.entries(all).map(([name, { method, path, request, response }]) => [
          name,
          `${method} ${path} ${request.name} ${response.name}`,
        ]),
      )
    expect(tableOf({ ...routes, ...accountRoutes })).toEqual(calls)
    expect(tableOf(administrationRoutes)).toEqual(administration)
    expect(tableOf(approverRoutes)).toEqual(approver)
    expect(tableOf(pushRoutes)).toEqual(push)
    expect(tableOf(passkeyRoutes)).toEqual(passkey)
  })
})

describe('pages', () => {
  it('encode any token, and name the provider', () => {
    expect(pages.token('s/e l', 't?#')).toBe('/auth/page/plow/s%2Fe%20l/t%3F%23')
    expect(pages.ssoLogin('azure')).toBe('/auth/page/plow/ssoLogin?provider=azure')
  })
})
