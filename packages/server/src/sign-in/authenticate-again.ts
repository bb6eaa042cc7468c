import type { PasskeyAssertion } from '@gatehouse/wire'
import type { AuditEvent } from '../audit/audit-events.ts'
import type { Session } from '../sessions/session.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, FirstFactor } from './authenticate.ts'
import type { PasskeyAuthentication } from './authenticate-passkey.ts'

/** The password of a signed-in user, or a passkey in its place. */
export type Again = { password: string; credential?: PasskeyAssertion | null | undefined }

/** Reauthenticates a signed-in user by password or passkey before a change. */
export const createAuthenticateAgain =
  (deps: { authentication: Authentication; passkeyAuthentication: PasskeyAuthentication }) =>
  /** Returns undefined if the password or passkey is wrong, or belongs to another user. */
  async (
    { password, credential }: Again,
    { userId, userIdent }: Session,
    visitor: Visitor,
    step: { event: AuditEvent; field: string },
  ): Promise<FirstFactor | undefined> => {
    if (!credential) return deps.authentication.authenticatePassword({ username: userIdent, password }, visitor, step)
    const asked = { purpose: 'Reauthentication', event: step.event, owner: userId } as const
    const first = await deps.passkeyAuthentication.authenticatePasskey(credential, asked, visitor)
    return typeof first === 'string' ? undefined : first
  }
export type AuthenticateAgain = ReturnType<typeof createAuthenticateAgain>
