const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count.toLocaleString('en-GB')} ${many}`)

/** The addresses of older attempts may be unknown. */
const passwords = (attempts: number, addresses: number) =>
  `${counted(attempts, 'wrong password', 'wrong passwords')}${addresses > 0 ? ` from ${counted(addresses, 'address', 'addresses')}` : ''}`
const codes = (attempts: number) => counted(attempts, 'wrong code', 'wrong codes')

/** The sentences above a user's details. */
export const verdictWords = {
  label: 'Status',
  canSignIn: 'Can sign in',
  mustChoosePassword: 'Must choose a new password',
  mustChoosePasswordNote: 'The user gets a link by email, or from ‘Forgot your password?’ on the sign-in page.',
  passwordDisabled: (attempts: number, addresses: number) => `Password disabled after ${passwords(attempts, addresses)}`,
  passwordDisabledNote: 'Until you unlock it, or the user resets it by email.',
  passwordLocked: (until: string, attempts: number, addresses: number) => `Locked until ${until} after ${passwords(attempts, addresses)}`,
  othersWork: (ways: string[]) => `Sign-in with ${ways.join(' or ')} still works.`,
  passkey: 'a passkey',
  secondFactorDisabled: (attempts: number) => `Second factor disabled after ${codes(attempts)}`,
  secondFactorLocked: (until: string, attempts: number) => `Second factor locked until ${until} after ${codes(attempts)}`,
  invited: 'Has not chosen a password yet',
  invitedNote: 'The link in an invitation works for 24 hours.',
  approvalsPaused: (until: string) => `Phone approvals paused until ${until}`,
  approvalsPausedNote: 'Too many requests were denied or not answered. A recovery code still works.',
  mustSetUpSecondFactor: 'Has no second factor; must set one up at the next sign-in',
  maySkipSecondFactor: (left: number) => `Has no second factor; may skip ${left === 1 ? '1 more time' : `${left} more times`}`,
}
