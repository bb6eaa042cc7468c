import { accountPages } from './account-pages.tsx'
import { administration } from './administration.tsx'
import { approver } from './approver.tsx'
import { forgotPassword } from './forgot-password.ts'
import { login } from './login.ts'
import { confirmEmail, newFactor, newPassword, oneTimeLink } from './mail-links.tsx'
import { mailbox } from './mailbox.tsx'
import { parts } from './parts.tsx'
import { passkeys } from './passkeys.ts'
import { phoneApproval } from './phone-approval.ts'
import { phoneEnrolment } from './phone-enrolment.tsx'
import { plainForms } from './plain-forms.ts'
import { misconfigurations, portalPages } from './portal-pages.tsx'
import { recovery, recoveryCodes } from './recovery-codes.tsx'
import type { Group, Scene } from './scene.ts'
import { creation, reset, verification } from './second-factor.ts'
import { toasts } from './toasts.tsx'
import { waiting } from './waiting.tsx'
import { waysToSignIn } from './ways-to-sign-in.tsx'

/** Every scene, in the order of a sign-in. */
export const groups: Group[] = [
  login,
  passkeys,
  waiting,
  verification,
  phoneApproval,
  recovery,
  creation,
  reset,
  forgotPassword,
  oneTimeLink,
  newPassword,
  newFactor,
  plainForms,
  confirmEmail,
  recoveryCodes,
  toasts,
  parts,
  portalPages,
  accountPages,
  phoneEnrolment,
  waysToSignIn,
  approver,
  misconfigurations,
  administration,
  mailbox,
]

/** The name of a scene in an address. */
export const idOf = (group: Group, scene: Scene) => `${group.name}-${scene.name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
