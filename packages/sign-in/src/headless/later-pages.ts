import { asciiDigits } from '@gatehouse/language/digits.ts'
import { parseVerificationCode } from '@gatehouse/wire'
import type { Credentials } from '@gatehouse/wire/page-props'
import { isPush } from '../next-after-factor.ts'
import { createPhoneApproval } from '../pages/approve-on-phone/approve-on-phone-flow.ts'
import { type Approval, approval, notAsked } from '../pages/approve-on-phone/approve-on-phone-state.ts'
import { watchChallenge } from '../pages/approve-on-phone/watch-challenge.ts'
import { createEnrollment } from '../pages/create-factor/create-factor-flow.ts'
import { notSkipped, skip } from '../pages/create-factor/create-factor-state.ts'
import { offersReset, otherFactorLinks } from '../pages/factor-pages.ts'
import { createRecovery } from '../pages/recovery-code/recovery-code-flow.ts'
import { notRecovered, recovery } from '../pages/recovery-code/recovery-code-state.ts'
import { createFactorReset } from '../pages/reset-factor/reset-factor-flow.ts'
import { notSent, reset } from '../pages/reset-factor/reset-factor-state.ts'
import { createPasskeyVerification, passkeyOptionsOf } from '../pages/use-passkey/use-passkey-flow.ts'
import { notVerified as noPasskeyYet, usePasskeyState } from '../pages/use-passkey/use-passkey-state.ts'
import { asksPasswordAgain, createVerification, newFactorOf } from '../pages/verify-factor/verify-factor-flow.ts'
import { notVerified, verification } from '../pages/verify-factor/verify-factor-state.ts'
import { type HeadlessArea, type HeadlessPage, type PageAt, pagePropsOf, passkeyCallsOf, passkeyPageOf, pushCallsOf } from './area.ts'
import { createMachine } from './machine.ts'
import type { ApproveOnPhoneView, CreateFactorView, RecoveryCodeView, ResetFactorView, UsePasskeyView, VerifyFactorView } from './view.ts'
import { withoutToken } from './without-token.ts'

const backOf =
  (area: HeadlessArea, { username }: Credentials) =>
  () =>
    area.go({ at: 'login', email: username })

type FactorPageAt = PageAt<'use-passkey' | 'approve-on-phone' | 'verify-factor'>

const typesOf = (page: FactorPageAt) => ('factorTypes' in page ? page.factorTypes : undefined)

/** The other actions on the page of a second factor. */
const otherWays = (shown: 'TOTP' | 'Push' | 'Passkey', page: FactorPageAt, area: HeadlessArea) => {
  const { credentials } = page
  const factorTypes = typesOf(page)
  const others = otherFactorLinks(shown, { credentials, factorTypes }, area.messages)
  return {
    choices: others.map(({ label, page }) => ({ label, choose: () => area.go(page) })),
    resetFactor: offersReset(shown, factorTypes) ? () => area.go({ at: 'reset-factor', credentials }) : undefined,
    useRecoveryCode: () => area.go({ at: 'recovery-code', credentials, ...(factorTypes && { factorTypes }) }),
    back: backOf(area, credentials),
  }
}

export const verifyFactorPage = (page: PageAt<'verify-factor'>, area: HeadlessArea): HeadlessPage<VerifyFactorView> => {
  const machine = createMachine(verification, notVerified, area.onChange)
  const flow = createVerification({ ...pagePropsOf(area), ...machine, page })
  const ways = otherWays('TOTP', page, area)
  const isNew = newFactorOf(page) !== undefined
  return {
    view: () => ({
      at: 'verify-factor',
      state: withoutToken(machine.state()),
      isFirstSetup: page.firstSetup,
      asksPassword: asksPasswordAgain(page),
      verify: (code, password) => void flow.verify(parseVerificationCode(asciiDigits(code)), password),
      edit: () => machine.dispatch({ type: 'edited' }),
      choices: isNew ? [] : ways.choices,
      resetFactor: page.firstSetup ? undefined : ways.resetFactor,
      // After a reset, only a code of the new factor is valid.
      useRecoveryCode: isNew ? undefined : ways.useRecoveryCode,
      showFactor: page.firstSetup ? () => area.go({ ...page, at: 'create-factor' }) : undefined,
      back: ways.back,
    }),
    isBusy: machine.call.isRunning,
    stop: machine.stop,
  }
}

export const createFactorPage = (page: PageAt<'create-factor'>, area: HeadlessArea): HeadlessPage<CreateFactorView> => {
  const { credentials, factor, skipRefused, passkey } = page
  const machine = createMachine(skip, notSkipped, area.onChange)
  const props = pagePropsOf(area)
  const flow = createEnrollment({ ...props, ...machine, credentials, factor, calls: passkeyCallsOf(area), onBegin: () => {} })
  const binding = factor.factorBinding?.tag === 'TOTPBinding' && !isPush(factor) ? factor.factorBinding.contents : undefined
  return {
    view: () => ({
      at: 'create-factor',
      state: withoutToken(machine.state()),
      factor: binding && { uri: binding.factorTOTPBindingURI, secret: binding.factorTOTPBindingSecret },
      next: () => area.go({ ...page, at: 'verify-factor', firstSetup: true }),
      skip: skipRefused ? undefined : () => void flow.skipFactor(),
      skipRefused,
      usePasskey: passkey && passkeyPageOf(area) && (() => void flow.setUpPasskey(passkey)),
      back: backOf(area, credentials),
    }),
    isBusy: machine.call.isRunning,
    stop: machine.stop,
  }
}

export const resetFactorPage = ({ credentials }: PageAt<'reset-factor'>, area: HeadlessArea): HeadlessPage<ResetFactorView> => {
  const machine = createMachine(reset, notSent, area.onChange)
  const flow = createFactorReset({ ...pagePropsOf(area), ...machine, credentials })
  return {
    view: () => ({
      at: 'reset-factor',
      state: machine.state(),
      asksPassword: credentials.password === '',
      send: password => void flow.send(password),
      useRecoveryCode: () => area.go({ at: 'recovery-code', credentials }),
      back: backOf(area, credentials),
    }),
    isBusy: machine.call.isRunning,
    stop: machine.stop,
  }
}

export const recoveryCodePage = (page: PageAt<'recovery-code'>, area: HeadlessArea): HeadlessPage<RecoveryCodeView> => {
  const machine = createMachine(recovery, notRecovered, area.onChange)
  const flow = createRecovery({ ...pagePropsOf(area), ...machine, credentials: page.credentials })
  return {
    view: () => ({
      at: 'recovery-code',
      state: withoutToken(machine.state()),
      verify: code => void flow.verify(code.trim()),
      useFactor: () => area.go({ ...page, at: 'verify-factor', firstSetup: false }),
      back: backOf(area, page.credentials),
    }),
    isBusy: machine.call.isRunning,
    stop: machine.stop,
  }
}

export const passkeyFactorPage = (page: PageAt<'use-passkey'>, area: HeadlessArea): HeadlessPage<UsePasskeyView> => {
  const machine = createMachine(usePasskeyState, noPasskeyYet, area.onChange)
  const calls = passkeyCallsOf(area)
  const flow = createPasskeyVerification({ ...pagePropsOf(area), ...machine, page, calls, takeOptions: passkeyOptionsOf(page) })
  return {
    view: () => ({
      at: 'use-passkey',
      state: withoutToken(machine.state()),
      verify: () => void flow.verify(),
      ...otherWays('Passkey', page, area),
    }),
    isBusy: machine.call.isRunning,
    stop: machine.stop,
  }
}

/** @param asksAtOnce whether to send a challenge immediately, because the user has already chosen phone approval */
export const approveOnPhonePage = (
  page: PageAt<'approve-on-phone' | 'verify-factor'>,
  asksAtOnce: boolean,
  area: HeadlessArea,
): HeadlessPage<ApproveOnPhoneView> => {
  let watching: ReturnType<typeof watchChallenge> | undefined
  const stopWatching = () => {
    watching?.stop()
    watching = undefined
  }
  const push = pushCallsOf(area)
  /** Follows the challenge while it is pending, and completes the sign-in after the approval. */
  const follow = ({ is }: Approval) => {
    if (is !== 'Pending') stopWatching()
    else
      watching ??= watchChallenge(push, status => {
        machine.dispatch(status ? { type: 'updated', ...status } : { type: 'lost' })
      })
    if (is === 'Approved') void flow.confirm()
  }
  const machine = createMachine(approval, notAsked, () => {
    follow(machine.state())
    area.onChange()
  })
  const flow = createPhoneApproval({ ...pagePropsOf(area), ...machine, push, credentials: page.credentials })
  if (asksAtOnce) void flow.ask()
  return {
    view: () => ({
      at: 'approve-on-phone',
      state: withoutToken(machine.state()),
      ask: () => void flow.ask(),
      ...otherWays('Push', page, area),
    }),
    isBusy: machine.call.isRunning,
    stop: () => {
      stopWatching()
      machine.stop()
    },
  }
}
