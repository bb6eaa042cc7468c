import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe } from 'vitest'
import { type Approval, type ApprovalEvent, approval } from './approve-on-phone-state.ts'

const asked = { challengeUUID: 'one', challengeNumber: '012345', challengeExpires: '2026-11-20T03:02:00Z' }
const token = { authTokenSelector: 'selector', authTokenToken: 'token' }
const updated = (challengeStatus: 'Pending' | 'Approved' | 'Denied' | 'Expired', challengeUUID = 'one') =>
  ({ type: 'updated', challengeUUID, challengeStatus, challengeRespondedReason: { tag: 'NotRequested' } }) satisfies ApprovalEvent

const states = {
  NotAsked: { is: 'NotAsked' },
  NotAskedWithError: { is: 'NotAsked', message: 'No' },
  Asking: { is: 'Asking' },
  Pending: { is: 'Pending', asked },
  Approved: { is: 'Approved', asked },
  Denied: { is: 'Denied', reason: { tag: 'InvalidCode' } },
  Expired: { is: 'Expired' },
  Verified: { is: 'VerifiedWithSuccess', token },
} satisfies Record<string, Approval>

const events = {
  submitted: { type: 'submitted' },
  opened: { type: 'opened', asked },
  pending: updated('Pending'),
  approved: updated('Approved'),
  denied: updated('Denied'),
  expired: updated('Expired'),
  'approved another': updated('Approved', 'two'),
  lost: { type: 'lost' },
  succeeded: { type: 'succeeded', token },
  failed: { type: 'failed', message: 'No' },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<string, ApprovalEvent>

describe('states of phone approval', () =>
  testTransitions<Approval, ApprovalEvent>(approval, states, events, {
    'NotAsked submitted': { is: 'Asking' },
    'NotAskedWithError submitted': { is: 'Asking' },
    'Denied submitted': { is: 'Asking' },
    'Expired submitted': { is: 'Asking' },
    'Asking opened': { is: 'Pending', asked },
    'Pending approved': { is: 'Approved', asked },
    'Pending denied': { is: 'Denied', reason: { tag: 'NotRequested' } },
    'Pending expired': { is: 'Expired' },
    'Pending lost': { is: 'Expired' },
    'Approved succeeded': { is: 'VerifiedWithSuccess', token },
    'Asking failed': { is: 'NotAsked', message: 'No' },
    'Approved failed': { is: 'NotAsked', message: 'No' },
    'Asking stayed': { is: 'NotAsked' },
    'Approved stayed': { is: 'NotAsked' },
    'Asking restored': { is: 'NotAsked' },
    'Approved restored': { is: 'NotAsked' },
    'Verified restored': { is: 'NotAsked' },
  }))
