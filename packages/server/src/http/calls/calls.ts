import type { FastifyInstance } from 'fastify'
import { addAccountCalls } from './account.ts'
import { addAdministrationCalls } from './administration.ts'
import { addApproverCalls } from './approver.ts'
import { addFeaturesCall } from './features.ts'
import { addPasskeyCalls } from './passkeys.ts'
import { addRecoveryCalls } from './recovery.ts'
import { addSessionCalls } from './sessions.ts'
import { addSignInCalls } from './sign-in.ts'
import { addUserCalls } from './users.ts'

type Deps = Parameters<typeof addSignInCalls>[1] &
  Parameters<typeof addRecoveryCalls>[1] &
  Parameters<typeof addSessionCalls>[1] &
  Parameters<typeof addUserCalls>[1] &
  Parameters<typeof addAccountCalls>[1] &
  Parameters<typeof addApproverCalls>[1] &
  Parameters<typeof addPasskeyCalls>[1] &
  Parameters<typeof addAdministrationCalls>[1]

/** The JSON calls. Each decodes its request, calls one function of a flow, and encodes the answer. */
export const addCalls = (app: FastifyInstance, deps: Deps) => {
  addSignInCalls(app, deps)
  addRecoveryCalls(app, deps)
  addSessionCalls(app, deps)
  addUserCalls(app, deps)
  addAccountCalls(app, deps)
  addApproverCalls(app, deps)
  addPasskeyCalls(app, deps)
  addAdministrationCalls(app, deps)
  addFeaturesCall(app)
}
