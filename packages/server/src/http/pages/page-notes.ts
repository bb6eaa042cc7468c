import type { MailLinkLookRequest } from '@gatehouse/wire'
import type { ApprovalRequest, FieldProblem, FormResult } from '@gatehouse/wire/page-props'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../../keys/keyring.ts'
import { type Caller, cookieLifetimes } from '../caller.ts'

/** Data that one page leaves for the next in a cookie, because pages without scripts cannot carry it along. */
type Notes = {
  /** The result of a form, for the page that it was sent from. */
  note: { at: string; said: FormResult; email?: string }
  /** The result on the page of a mailed link: a field problem, or the address of the user whose password or address is now set. */
  problem: { at: string; problem: FieldProblem } | { at: string; done: string; passkeys?: readonly string[] }
  /** A factor reset under way. */
  reset: { username: string; factorUUID: string }
  /** The request that was sent to a phone. */
  phone: ApprovalRequest
  /** A pasted mail link. A button redeems it later. */
  link: { kind: MailLinkLookRequest['kind']; selector: string; token: string }
}

/**
 * Encrypts the notes. Attack: another host of the domain sets the cookie, to write text on our
 * pages. An attacker can also replay a cookie that their own browser received, so each note
 * contains its expiry.
 */
export const createPageNotes = ({ caller, keyring, now }: { caller: Caller; keyring: Keyring; now: () => number }) => ({
  leave: <Kind extends keyof Notes>(reply: FastifyReply, kind: Kind, note: Notes[Kind]) =>
    caller.setCookie(reply, kind, keyring.seal('page', JSON.stringify({ until: now() + cookieLifetimes[kind], note }), kind)),

  read: <Kind extends keyof Notes>(request: FastifyRequest, kind: Kind): Notes[Kind] | undefined => {
    const opened = keyring.tryOpen('page', caller.cookie(request, kind) ?? '', kind)
    if (opened === undefined) return undefined
    // The keyring opens only notes that a server encrypted for this kind, with one of the keyring's master keys.
    const { until, note }: { until: number; note: Notes[Kind] } = JSON.parse(opened)
    return now() < until ? note : undefined
  },

  clear: (reply: FastifyReply, kind: keyof Notes) => caller.clearCookie(reply, kind),
})
export type PageNotes = ReturnType<typeof createPageNotes>
