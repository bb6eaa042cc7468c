import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assertions } from '../forward-auth/assertions/assertions.ts'
import type { ForwardAuth } from '../forward-auth/forward-auth.ts'
import type { Passes } from '../forward-auth/passes.ts'
import { decideForPass, type PassRefusal, type PassSubject } from '../forward-auth/rules/decision.ts'
import type { Rule } from '../forward-auth/rules/rule.ts'
import type { AskedRequest } from '../forward-auth/rules/rule-set.ts'
import type { Pass } from '../passes/pass.ts'
import type { ShownPass } from '../passes/pass-secret.ts'
import { groupsOf, identityHeaders } from './identity-headers.ts'
import type { Rates } from './rate-limits.ts'

/**
 * Checks requests that carry a pass. The response is a status, never a redirect, because passes
 * come from programs, not from browsers. It has no `WWW-Authenticate: Basic`, so that no browser asks a
 * user for a password.
 */
export const createPassCheck = (deps: { passes: Passes; rates: Rates; assertions: Assertions; forwardAuth: ForwardAuth }) => {
  const { passes, rates, assertions, forwardAuth } = deps

  return async (request: FastifyRequest, reply: FastifyReply, shown: ShownPass, found: { rule: Rule; asked: AskedRequest }) => {
    const refuse = (status: 401 | 403, error: string) => reply.code(status).send({ error })
    rates.mayShowPass(request.ip)
    const pass = shown.is === 'Pass' ? await passes.find(shown.pass, request.ip) : undefined
    if (!pass) {
      rates.countWrongPass(request.ip)
      return refuse(401, 'pass: unknown, or has ended')
    }
    const { rule, asked } = found
    if (!passes.isInScope(pass, asked)) return refuse(403, 'pass: is not for this request')
    const subject = forwardAuth.subjectOfPass(pass)
    const decision = decideForPass(rule.effect, subject)
    if (decision.is === 'Refused') return refuse(403, refusals[decision.why])
    if (passes.lacksPasskey(pass)) return refuse(403, refusals['needs-user'])
    const names = identityHeaders(subject, subject.isService)
    const { origin } = asked
    const token = await assertions.assertionFor({ ...factsOf(pass, subject), origin, groups: groupsOf(subject, subject.isService) })
    // Tells the proxy to remove the Authorization header, which is for Gatehouse and not for the application.
    return reply.headers({ ...names, 'gatehouse-assertion': token, 'gatehouse-pass': 'yes' }).send()
  }
}

const refusals: Record<PassRefusal, string> = {
  denied: 'pass: not allowed here',
  'no-passes': 'pass: no passes are allowed here',
  'not-named': 'pass: its owner is not allowed here',
  'needs-user': 'pass: a user must sign in here',
}

/** What an application learns about a pass in the signed identity. */
const factsOf = ({ selector, owner, created }: Pass, { userIdent: email }: PassSubject) => ({
  key: `pass ${selector}`,
  sub: owner.is === 'User' ? owner.userId : `service:${owner.service}`,
  context: { acr: 'pass', amr: [] },
  authTime: created,
  email,
})
