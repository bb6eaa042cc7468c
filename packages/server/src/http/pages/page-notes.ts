import type { MailLinkLookRequest } from '@gatehouse/wire'
import type { ApprovalRequest, FieldProblem, FormResult } from '@gatehouse/wire/page-props'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../../keys/keyring.ts'
import { type Caller, cookieLifetimes } from '../caller.ts'

/** What one page leaves in the browser for the next, where no script carries it along. */
type Notes = {
  /** What came of a form, for the page that it was sent from. */
  note: { at: string; said: FormResult; email?: string }
  /** The same for the page of a mailed link: what is wrong, or whose password is set. */
  problem: { at: string; problem: FieldProblem } | { at: string; done: string }
  /** A factor reset under way. */
  reset: { username: string; factorUUID: string }
  /** What a phone was asked. */
  phone: ApprovalRequest
  /** A mailed link that was pasted; it is used up at a press. */
  link: { kind: MailLinkLookRequest['kind']; selector: string; token: string }
}

/**
 * Sealed: another host of the domain can plant a cookie, and must not write what our pages say. What it was left itself it could plant
 * as well, so each holds its time.
 */
export const createPageNotes = ({ caller, keyring, now }: { caller: Caller; keyring: Keyring; now: () => number }) => ({
  leave: <Kind extends keyof Notes>(reply: FastifyReply, kind: Kind, note: Notes[Kind]) =>
    caller.setCookie(reply, kind, keyring.seal('page', JSON.stringify({ until: now() + cookieLifetimes[kind], note }), kind)),

  read: <Kind extends keyof Notes>(request: FastifyRequest, kind: Kind): Notes[Kind] | undefined => {
    const opened = keyring.tryOpen('page', caller.cookie(request, kind) ?? '', kind)
    if (opened === undefined) return undefined
    // What is opened was sealed by us, as a note of this kind.
    const { until, note }: { until: number; note: Notes[Kind] } = JSON.parse(opened)
    return now() < until ? note : undefined
  },

  clear: (reply: FastifyReply, kind: keyof Notes) => caller.clearCookie(reply, kind),
})
export type PageNotes = ReturnType<typeof createPageNotes>
