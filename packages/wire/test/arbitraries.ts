import fc from 'fast-check'
import { any, bare, carrying, code, record, time, uuid, word } from './arbitrary-values.ts'

const factorType = fc.constantFrom('Push', 'TOTP')
const secondFactorType = fc.constantFrom('Push', 'TOTP', 'Passkey')
const factorStatus = fc.constantFrom('Unverified', 'Verified')
const challengeStatus = fc.constantFrom('Pending', 'Approved', 'Denied', 'Expired')
const reason = fc.oneof(
  bare('ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode'),
  carrying('WrongFactorType', factorType),
)
const challenge = {
  challengeUUID: uuid,
  challengeIdentity: any,
  challengeFactorUUID: uuid,
  challengeDateCreated: time,
  challengeDateUpdated: time,
  challengeRespondedReason: reason,
  challengeFactorType: factorType,
}
const binding = fc.oneof(
  carrying(
    'TOTPBinding',
    record({
      factorTOTPBindingFactorUUID: uuid,
      factorTOTPBindingSecret: any,
      factorTOTPBindingAlg: any,
      factorTOTPBindingURI: any,
    }),
  ),
  carrying('PushBinding', record({ factorPushBindingFactorUUID: uuid, factorPushBindingPublicKey: any, factorPushBindingAlg: any })),
)
const factor = record(
  { factorUUID: uuid, factorIdentity: any, factorFriendlyName: any, factorStatus, factorFactorType: factorType, factorDateCreated: time },
  { factorBinding: binding, factorDateVerified: time, factorDateLastUsed: time },
)
const verifyError = fc.oneof(
  carrying(
    'StoreError',
    fc.oneof(
      bare(
        'StoreAlreadyOpen',
        'StoreClosed',
        'StoreLocked',
        'StoreFolderNotFound',
        'StoreFileNotFound',
        'NoStoreFilesInPath',
        'StoreCheckpointNotFound',
      ),
      carrying('StoreIOError', any),
    ),
  ),
  carrying(
    'DatabaseError',
    fc.oneof(
      carrying('MissingFactorByFactorUUID', uuid),
      carrying('MissingFactorBindingByFactorUUID', uuid),
      carrying('MissingChallengeByChallengeUUID', uuid),
      carrying('FactorTypeMismatch', fc.tuple(uuid, factorType, factorType)),
      bare('NoVerifiedFactors', 'NoApprovedChallenges'),
    ),
  ),
  carrying('ApiError', any),
  carrying('VerifyTOTPFactorError', record({ status: factorStatus, reason })),
  carrying('TOTPError', record({ status: challengeStatus, reason })),
)

const flag = fc.boolean()
const bytes = fc.uint8Array({ maxLength: 40 }).map(array => Buffer.from(array).toString('base64url'))
const publicKey = fc.constant('public-key')
const descriptor = record({ id: bytes, type: publicKey }, { transports: fc.array(word, { maxLength: 3 }) })
const requestOptions = record(
  { challenge: bytes, timeout: fc.nat(), rpId: any, userVerification: fc.constant('required') },
  { allowCredentials: fc.array(descriptor, { maxLength: 2 }) },
)
const creationOptions = record({
  challenge: bytes,
  timeout: fc.nat(),
  rp: record({ id: any, name: any }),
  user: record({ id: bytes, name: any, displayName: any }),
  pubKeyCredParams: fc.array(record({ type: publicKey, alg: fc.constantFrom(-7, -8, -257) }), { maxLength: 3 }),
  excludeCredentials: fc.array(descriptor, { maxLength: 2 }),
  authenticatorSelection: record({
    residentKey: fc.constant('required'),
    requireResidentKey: fc.constant(true),
    userVerification: fc.constant('required'),
  }),
  attestation: fc.constant('none'),
})
const passkeySignals = record({
  rpId: any,
  userId: bytes,
  name: any,
  displayName: any,
  allAcceptedCredentialIds: fc.array(bytes, { maxLength: 3 }),
})
const afterSignIn = record({ signals: passkeySignals }, { upgrade: creationOptions })
const assertion = record({
  id: bytes,
  rawId: bytes,
  type: publicKey,
  response: record({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }, { userHandle: bytes }),
})
const attestation = record({
  id: bytes,
  rawId: bytes,
  type: publicKey,
  response: record({ clientDataJSON: bytes, attestationObject: bytes }, { transports: fc.array(word, { maxLength: 3 }) }),
})

const pair = { authTokenSelector: word, authTokenToken: word }
const authToken = record(pair, { authTokenUserAgent: word, authTokenExpires: time, authTokenUser: word })
const provider = fc.constantFrom('Google', 'Azure', 'Pak')
const redirect = fc.oneof(bare('RedirectDashboard'), carrying('RedirectSSOLogin', provider))
const magicLinkRequest = record({ email: word, redirect })
const count = fc.maxSafeNat()
const signInWay = fc.constantFrom(
  'Password',
  'OneTimeLink',
  'Google',
  'Azure',
  'Pak',
  'TOTP',
  'Push',
  'RecoveryCode',
  'Skip',
  'Passkey',
  'PasskeyFactor',
)
const signInOutcome = fc.constantFrom('SignedIn', 'Passed', 'WrongPassword', 'WrongCode', 'Locked', 'ForcedReset', 'Refused')
const listedUser = record(
  {
    userId: any,
    userIdent: any,
    userCreated: time,
    userForcedReset: flag,
    administrator: flag,
    ways: fc.array(fc.constantFrom('Password', 'Google', 'Azure', 'Pak')),
    factors: count,
    skipCount: count,
    skipMost: count,
    sessions: count,
    locks: fc.array(record({ of: fc.constantFrom('Password', 'SecondFactor'), attempts: count }, { until: time })),
  },
  { lastSignIn: time, passkeys: count },
)
const query = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })
const newPassword = (others: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(record(others), word)
    .map(([body, newpassword]) => Object.assign({}, body, { newpassword, newpasswordverification: newpassword }))

const origin = record(
  { address: any, place: fc.constantFrom('Here', 'Server', 'Inside', 'Elsewhere', 'Unknown') },
  { browser: any, system: any },
)
const activity = record(
  { rows: fc.array(record({ kind: fc.constantFrom('SignedIn', 'PasswordWrong', 'Other'), at: time }, { from: origin })) },
  { more: any },
)

const sixDigits = code.map(number => String(number).padStart(6, '0'))
const pushStatus = record({ challengeUUID: uuid, challengeStatus, challengeRespondedReason: reason })
const proof = { factorUUID: uuid, nonce: word, signature: word }
const pendingChallenge = record({
  challengeUUID: uuid,
  challengeDateCreated: time,
  challengeExpires: time,
  username: any,
  from: origin,
  isEnrolment: flag,
})

/** Random messages of every shape as they stand on the wire; written without a look at the schemas. */
export const arbitraries: Record<string, fc.Arbitrary<unknown>> = {
  AuthToken: authToken,
  PlowLoginRequest: authToken,
  AuthenticationRequest: record(pair),
  LoginRequest: record({ username: word, password: word, useragent: word }, { passkeys: flag }),
  ContinueRequest: record({}, { passkeys: flag }),
  OTPRequest: record({ otpUsername: word, otpPassword: word }, { otpVerification: code, otpFactorUUID: uuid, passkeys: flag }),
  LoginFailure: record({ reason: any, message: any }),
  AuthOutcome: fc.oneof(
    bare('AuthFailureFailedLogin', 'AuthFailureForcedReset', 'AuthRequires2FA'),
    record({ tag: fc.constant('AuthFailureFailedLogin'), passkey: fc.constantFrom('Unknown', 'Refused') }),
    carrying('AuthRequires2FA', record({ factorTypes: fc.array(secondFactorType, { maxLength: 3 }) }, { passkey: requestOptions })),
    carrying('AuthFailureFactorError', verifyError),
    carrying('AuthRequiresFactorCreation', factor),
    record({ tag: fc.constant('AuthRequiresFactorCreation'), contents: factor, passkey: creationOptions }),
    carrying('AuthRequiresFactorReset', uuid),
    carrying('AuthSuccessful', authToken),
    record({ tag: fc.constant('AuthSuccessful'), contents: authToken, passkeys: afterSignIn }),
  ),
  VerifyError: verifyError,
  ErrorBody: fc.oneof(
    record({ error: any }),
    record({ error: any, code: fc.constantFrom('ReauthenticationRequired', 'SecondFactorRequired', 'AddressUnchanged') }),
    record({ 'typed-error': verifyError }),
  ),
  Factor: factor,
  FactorBinding: binding,
  FactorType: factorType,
  FactorStatus: factorStatus,
  FactorCreationRequest: record({
    factorCreationRequestIdentity: word,
    factorCreationRequestFriendlyName: word,
    factorCreationRequestFactorType: factorType,
  }),
  TOTPRequest: record({ totpRequestIdentity: word, totpRequestCode: code }),
  VerifyTOTPFactorRequest: record({ verifyTOTPFactorRequestFactorUUID: uuid, verifyTOTPFactorRequestCode: code }),
  ChallengeStatus: challengeStatus,
  ChallengeRespondedReason: reason,
  Challenge: fc.oneof(
    record({ ...challenge, challengeStatus, challengeDateResponded: time }),
    record({ ...challenge, challengeStatus: fc.constantFrom('Pending', 'Expired'), challengeDateResponded: fc.constant(null) }),
  ),
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
  SSOProvider: provider,
  Redirect: redirect,
  MagicLinkRequest: magicLinkRequest,
  MagicLinkRequests: fc.array(magicLinkRequest, { minLength: 1, maxLength: 5 }),
  MagicLinkAnswer: fc.oneof(bare('Ok'), carrying('Error', any)),
  MagicLinkRedeemRequest: record({ selector: word, token: word }, { number: fc.constantFrom('10', '42', '99'), passkeys: flag }),
  MailWait: record({ number: fc.constantFrom('10', '42', '99') }),
  MailCodeRequest: record({ code: word }, { passkeys: flag }),
  MailLinkRequest: record({ selector: word, token: word }),
  MailLinkLookRequest: record({
    kind: fc.constantFrom('OneTimeLink', 'PasswordReset', 'FactorReset', 'EmailChange'),
    selector: word,
    token: word,
  }),
  MailLink: record({ state: fc.constantFrom('Good', 'Used', 'Expired', 'Unknown') }, { email: any, asksNumber: flag }),
  RecoveryCodeRequest: record({ otpUsername: word, otpPassword: word, otpRecoveryCode: word }, { passkeys: flag }),
  RecoveryCodes: record({ recoveryCodes: fc.array(any) }),
  ReturnFragmentRequest: record({ returnId: word, returnFragment: fc.stringMatching(/^#[!-~]{0,60}$/) }),
  SessionCheck: record({ signedIn: flag }),
  OriginCheck: record({ pageOrigin: fc.constantFrom('Allowed', 'NotListed', 'OtherSite') }),
  EmailChangeRequest: record({ newemail: word, password: word }, { credential: assertion }),
  ProviderRequest: record({ provider, password: word }, { credential: assertion }),
  Location: record({ location: any }),
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
            passkey: record({ credentialId: any, synced: flag, optional: flag }, { provider: any }),
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
    { mostPasskeys: count },
  ),
  Activity: activity,
  ActivityRequest: record({ more: word }),
  TimeZoneRequest: record({ userTZLabel: word }),
  ConfirmPasswordRequest: record({ password: word }),
  SessionEndRequest: record({ sessionId: word }),
  BrowserForgetRequest: record({ browserId: word }),
  FactorRenameRequest: record({ factorUUID: uuid, factorFriendlyName: word }),
  FactorRemoveRequest: record({ factorUUID: uuid }),
  AdministrationOverview: record(
    {
      users: count,
      withoutFactor: count,
      skipped: count,
      locked: count,
      forcedReset: count,
      mailsWaiting: count,
      mailsTriedInVain: count,
    },
    { mailsRefused: count, withPasskey: count },
  ),
  UserListRequest: query({
    search: word,
    filter: fc.constantFrom('All', 'WithoutFactor', 'Skipped', 'Locked', 'ForcedReset', 'Administrators', 'WithPasskey'),
    sort: fc.constantFrom('Address', 'LastSignIn', 'Added'),
    descending: flag,
    after: word,
  }),
  ListedUser: listedUser,
  UserList: record(
    {
      users: fc.array(listedUser, { maxLength: 3 }),
      counts: record({
        All: count,
        WithoutFactor: count,
        Skipped: count,
        Locked: count,
        ForcedReset: count,
        Administrators: count,
        WithPasskey: count,
      }),
    },
    { after: any },
  ),
  UserAdditionRequest: record({ userIdent: word, userTZLabel: word }),
  UserActRequest: record({ userId: word }),
  FactorRemovalRequest: record({ userId: word, factorUUID: word }),
  SessionRemovalRequest: record({ userId: word, sessionId: word }),
  UserRemovalRequest: record({ userId: word, userIdent: word }),
  UserDetail: record(
    {
      user: listedUser,
      userTZLabel: any,
      recoveryCodes: count,
      wrongPasswordAddresses: count,
      secondFactorPolicy: fc.constantFrom('Off', 'Skippable', 'Required'),
      skipsLeft: count,
      factors: fc.array(
        record(
          { factorUUID: any, factorFriendlyName: any, factorFactorType: secondFactorType },
          { factorDateVerified: time, factorDateLastUsed: time },
        ),
        { maxLength: 2 },
      ),
      sessions: fc.array(record({ sessionId: any, own: flag, sessionCreated: time, sessionSeen: time, from: origin }), { maxLength: 2 }),
      activity: fc.array(
        record(
          { auditAt: time, auditEvent: any, auditResult: any, by: fc.constantFrom('Self', 'Administrator', 'CommandLine', 'Nobody') },
          { signIn: any, from: origin },
        ),
        { maxLength: 2 },
      ),
    },
    { approvalsPausedUntil: time },
  ),
  WaitingMails: record({
    waiting: count,
    mails: fc.array(
      record(
        { mailId: any, mailKind: any, mailCreated: time, mailAttempts: count, mailNext: time, mailExpires: time },
        { mailTo: any, mailRefused: count },
      ),
      { maxLength: 2 },
    ),
  }),
  BoardRequest: query({ range: fc.constantFrom('Day', 'Week', 'Month', 'Quarter') }),
  AttemptListRequest: fc.record(
    {
      from: time,
      until: time,
      ways: fc.array(signInWay, { minLength: 1, maxLength: 9 }),
      outcomes: fc.array(signInOutcome, { minLength: 1, maxLength: 7 }),
      after: word,
    },
    { requiredKeys: ['from', 'until', 'ways', 'outcomes'] },
  ),
  AttemptList: record(
    {
      attempts: fc.array(
        record({ auditAt: time, way: signInWay, outcome: signInOutcome }, { user: record({ userId: any, userIdent: any }), from: origin }),
        { maxLength: 2 },
      ),
    },
    { after: any },
  ),
  SignInBoard: record({
    zone: any,
    step: fc.constantFrom('Hour', 'Day'),
    slots: fc.array(time, { maxLength: 3 }),
    series: fc.array(
      record({
        way: signInWay,
        outcome: signInOutcome,
        counts: fc.array(count, { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
  }),
  PushOutcome: fc.oneof(
    bare('AuthFailureFailedLogin', 'AuthFailureForcedReset'),
    carrying('AuthFailureFactorError', verifyError),
    carrying('PushChallengeOpened', record({ challengeUUID: uuid, challengeNumber: sixDigits, challengeExpires: time })),
  ),
  PushStatus: pushStatus,
  PushLink: record({ factorUUID: uuid, link: any, expires: time }),
  PushProgressRequest: record({ factorUUID: uuid }),
  PushProgress: fc.oneof(
    bare('Waiting', 'Verified', 'Over'),
    carrying('Asked', record({ challengeNumber: sixDigits, challengeExpires: time })),
    carrying('Failed', record({ challengeStatus: fc.constantFrom('Denied', 'Expired'), challengeRespondedReason: reason })),
  ),
  PushEnrolmentRequest: record({ selector: word, token: word, publicKey: word, alg: fc.constant('ES256'), friendlyName: word }),
  PushEnrolment: record({ factorUUID: uuid, userId: any, username: any, origin: any, productName: any }),
  PushNonce: record({ nonce: any }),
  PushProofRequest: record(proof),
  PushPending: record(
    {
      factorFriendlyName: any,
      verified: flag,
      wake: record({ webPushKey: any, subscribed: flag }, { ntfy: record({ url: any, topic: any }), gotify: record({ url: any }) }),
    },
    { pending: pendingChallenge },
  ),
  PushAnswerRequest: record(
    { factorUUID: uuid, challengeUUID: uuid, decision: fc.constantFrom('Approve', 'Deny'), signature: word },
    { number: sixDigits },
  ),
  PushSubscribeRequest: record(proof, {
    subscription: record({ endpoint: word, keys: record({ p256dh: word, auth: word }) }),
  }),
  SocketMessage: fc.oneof(
    bare('SessionEnded', 'Revoked'),
    carrying('Nonce', any),
    carrying('Challenge', pushStatus),
    carrying('Pending', fc.option(pendingChallenge)),
  ),
  SocketRequest: record({ tag: fc.constant('Device'), contents: record(proof) }),
  PasskeyRequestOptions: requestOptions,
  PasskeyCreationOptions: creationOptions,
  PasskeySignals: passkeySignals,
  PasskeyAfterSignIn: afterSignIn,
  PasskeyOptionsRequest: record({ purpose: fc.constantFrom('SignIn', 'SecondFactor', 'Reauthentication') }),
  PasskeyRequest: record({ credential: assertion }),
  PasskeyVerifyRequest: record({ otpUsername: word, otpPassword: word, credential: assertion }),
  PasskeySetUpRequest: record({ otpUsername: word, otpPassword: word, credential: attestation }),
  PasskeyAddRequest: record({ credential: attestation }),
  PasskeyAdded: record({ factorUUID: uuid, factorFriendlyName: any, signals: passkeySignals }),
  Empty: fc.constant({}),
  Nothing: fc.constant({}),
  UserId: word,
  Boolean: flag,
  String: any,
  Features: fc.oneof(flag, record({ features: fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,20}$/), flag, { noNullPrototype: true }) })),
  FeatureQuery: fc.record({ name: word }, { requiredKeys: [] }),
}
