import type { DateTimeFormat, UserDetail } from '@gatehouse/wire'
import { administrationTexts as words } from '../messages/current.ts'
import { choiceText, unbroken } from '../messages/intl.ts'

/** The facts that decide the verdict. */
export type VerdictFacts = Pick<
  UserDetail,
  'user' | 'wrongPasswordAddresses' | 'approvalsPausedUntil' | 'secondFactorPolicy' | 'skipsLeft' | 'factors'
>

/** The one thing that decides whether and how a user can sign in. */
export type Verdict =
  | { is: 'MustChoosePassword' }
  | { is: 'PasswordDisabled'; attempts: number; addresses: number }
  | { is: 'PasswordLocked'; until: string; attempts: number; addresses: number }
  | { is: 'SecondFactorDisabled'; attempts: number }
  | { is: 'SecondFactorLocked'; until: string; attempts: number }
  | { is: 'Invited' }
  | { is: 'ApprovalsPaused'; until: string }
  | { is: 'MustSetUpSecondFactor' }
  | { is: 'MaySkipSecondFactor'; left: number }
  | { is: 'CanSignIn' }

/** The action that helps, if an administrator can help. */
export type Help = 'unlock' | 'sendLink' | undefined
export type Tone = 'good' | 'warning' | 'bad'

/**
 * Derives the verdict from the facts. The first obstacle decides: a required new password, for
 * example, also ends a password lock.
 */
export const verdictOf = (facts: VerdictFacts): Verdict => {
  const { user, approvalsPausedUntil, factors } = facts
  if (user.userForcedReset) return { is: 'MustChoosePassword' }
  const lockOf = (of: 'Password' | 'SecondFactor') => user.locks.find(lock => lock.of === of)
  const password = lockOf('Password')
  if (password) {
    const cause = { attempts: password.attempts, addresses: facts.wrongPasswordAddresses }
    return password.until == null ? { is: 'PasswordDisabled', ...cause } : { is: 'PasswordLocked', until: password.until, ...cause }
  }
  const second = lockOf('SecondFactor')
  if (second) {
    const { until, attempts } = second
    return until == null ? { is: 'SecondFactorDisabled', attempts } : { is: 'SecondFactorLocked', until, attempts }
  }
  if (user.ways.length === 0 && !signsInByPasskey(user)) return { is: 'Invited' }
  // Users with another kind of second factor can use that instead.
  const onlyPhones = factors.length > 0 && factors.every(factor => factor.factorFactorType === 'Push')
  if (approvalsPausedUntil != null && onlyPhones) return { is: 'ApprovalsPaused', until: approvalsPausedUntil }
  if (user.factors > 0 || facts.secondFactorPolicy === 'Off') return { is: 'CanSignIn' }
  return facts.skipsLeft > 0 ? { is: 'MaySkipSecondFactor', left: facts.skipsLeft } : { is: 'MustSetUpSecondFactor' }
}

/** Whether a passkey signs the user in without a password. For a server that does not say how many do, every passkey counts. */
const signsInByPasskey = ({ passkeys, passkeysAlone }: UserDetail['user']): boolean => (passkeysAlone ?? passkeys ?? 0) > 0

export const helpFor = (verdict: Verdict): Help => {
  switch (verdict.is) {
    case 'PasswordDisabled':
    case 'PasswordLocked':
    case 'SecondFactorDisabled':
    case 'SecondFactorLocked':
    case 'ApprovalsPaused':
      return 'unlock'
    case 'MustChoosePassword':
    case 'Invited':
      return 'sendLink'
    case 'MustSetUpSecondFactor':
    case 'MaySkipSecondFactor':
    case 'CanSignIn':
      return undefined
  }
}

export const toneOf = (verdict: Verdict): Tone => {
  switch (verdict.is) {
    case 'PasswordDisabled':
    case 'PasswordLocked':
    case 'SecondFactorDisabled':
    case 'SecondFactorLocked':
    case 'ApprovalsPaused':
      return 'bad'
    case 'MustChoosePassword':
    case 'Invited':
    case 'MustSetUpSecondFactor':
    case 'MaySkipSecondFactor':
      return 'warning'
    case 'CanSignIn':
      return 'good'
  }
}

/** The verdict as one sentence. A time today is shown without the day. */
export const sentenceOf = (verdict: Verdict, dates: DateTimeFormat, now: number): string => {
  const time = (until: string) => (dates.date(until) === dates.date(now) ? dates.time(until) : unbroken(dates.dayTime(until)))
  switch (verdict.is) {
    case 'MustChoosePassword':
      return words.verdict.mustChoosePassword
    case 'PasswordDisabled':
      return verdict.addresses > 0
        ? words.verdict.passwordDisabled.known(verdict.attempts, verdict.addresses)
        : words.verdict.passwordDisabled.unknown(verdict.attempts)
    case 'PasswordLocked':
      return verdict.addresses > 0
        ? words.verdict.passwordLocked.known(time(verdict.until), verdict.attempts, verdict.addresses)
        : words.verdict.passwordLocked.unknown(time(verdict.until), verdict.attempts)
    case 'SecondFactorDisabled':
      return words.verdict.secondFactorDisabled(verdict.attempts)
    case 'SecondFactorLocked':
      return words.verdict.secondFactorLocked(time(verdict.until), verdict.attempts)
    case 'Invited':
      return words.verdict.invited
    case 'ApprovalsPaused':
      return words.verdict.approvalsPaused(time(verdict.until))
    case 'MustSetUpSecondFactor':
      return words.verdict.mustSetUpSecondFactor
    case 'MaySkipSecondFactor':
      return words.verdict.maySkipSecondFactor(verdict.left)
    case 'CanSignIn':
      return words.verdict.canSignIn
  }
}

/** Advice on how the user can sign in until the obstacle is gone. */
export const noteOf = (
  verdict: Verdict,
  { user }: VerdictFacts,
  wayName: (way: VerdictFacts['user']['ways'][number]) => string,
): string | undefined => {
  switch (verdict.is) {
    case 'MustChoosePassword':
      return words.verdict.mustChoosePasswordNote
    case 'PasswordDisabled':
    case 'PasswordLocked': {
      const others = [
        ...user.ways.filter(way => way !== 'Password').map(wayName),
        ...(signsInByPasskey(user) ? [words.verdict.passkey] : []),
      ]
      return others.length > 0
        ? words.verdict.othersWork(choiceText(others))
        : verdict.is === 'PasswordDisabled'
          ? words.verdict.passwordDisabledNote
          : undefined
    }
    case 'Invited':
      // A user who has signed in before gets no invitation.
      return user.lastSignIn == null ? words.verdict.invitedNote : undefined
    case 'ApprovalsPaused':
      return words.verdict.approvalsPausedNote
    case 'SecondFactorDisabled':
    case 'SecondFactorLocked':
    case 'MustSetUpSecondFactor':
    case 'MaySkipSecondFactor':
    case 'CanSignIn':
      return undefined
  }
}
