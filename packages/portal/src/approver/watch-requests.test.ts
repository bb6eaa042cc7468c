// @vitest-environment jsdom
import type { PendingChallenge, PushPending, SocketMessage } from '@gatehouse/wire'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ApproverApi } from './approver-api.ts'
import { type ApproverState, approverState, loading } from './approver-state.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import { makeKey } from './phone-key.ts'
import { watchRequests } from './watch-requests.ts'

const request: PendingChallenge = {
  challengeUUID: 'one',
  challengeDateCreated: '2026-11-20T03:00:00Z',
  challengeExpires: '2126-11-20T03:02:00Z',
  username: 'ada@example.com',
  from: { address: '203.0.113.7', place: 'Elsewhere' },
  isEnrolment: true,
}
const newer = { ...request, challengeUUID: 'two' }
const pending = (contents: PendingChallenge | null): SocketMessage => ({ tag: 'Pending', contents })
const listing = (listed: PendingChallenge | null): PushPending => ({
  pending: listed,
  factorFriendlyName: 'Pixel',
  verified: false,
  wake: { webPushKey: '', subscribed: false },
})

/** A phone whose polls wait until the test replies. */
const startPhone = async () => {
  const { privateKey } = await makeKey()
  const account: PhoneAccount = {
    factorUUID: 'f',
    userId: 'u',
    username: 'ada@example.com',
    origin: 'https://auth.example.com',
    productName: 'Gatehouse',
    privateKey,
  }
  const polls: ((value: PushPending) => void)[] = []
  let hear: Parameters<ApproverApi['listen']>[0] | undefined
  let push = () => {}
  let state: ApproverState = loading
  const seen: string[] = []
  const stop = watchRequests(
    account,
    {
      nonce: async () => ({ ok: true, value: { nonce: 'n' } }),
      pending: () => new Promise(resolve => polls.push(value => resolve({ ok: true, value }))),
      listen: listener => {
        hear = listener
        return () => {}
      },
    },
    {
      onPush: listener => {
        push = listener
        return () => {}
      },
    },
    {
      onEvent: event => {
        const before = state
        state = approverState(state, event)
        if (state !== before) seen.push('request' in state ? `${state.is} ${state.request.challengeUUID}` : state.is)
      },
      onPending: () => {},
      onConnection: () => {},
    },
  )
  onTestFinished(stop)
  /** Waits until `count` polls have been sent. @returns the function that replies to the last poll */
  const poll = async (count: number) => {
    await vi.waitFor(() => expect(polls).toHaveLength(count), { interval: 1 })
    return async (listed: PendingChallenge | null) => {
      polls[count - 1]?.(listing(listed))
      await new Promise(resolve => setTimeout(resolve))
    }
  }
  return {
    seen,
    poll,
    polls,
    told: (listed: PendingChallenge | null) => hear?.told(pending(listed), () => {}),
    changed: (isOpen: boolean) => hear?.changed(isOpen),
    push: () => push(),
  }
}

describe('the requests of one account on a phone', () => {
  it('keeps a request from the socket when an older reply without it arrives later', async () => {
    const phone = await startPhone()
    const reply = await phone.poll(1)
    phone.told(request)
    await reply(null)
    expect(phone.seen).toEqual(['Requested one'])
  })

  it('keeps the newer request when a reply still lists the one that it replaced', async () => {
    const phone = await startPhone()
    const reply = await phone.poll(1)
    phone.told(newer)
    await reply(request)
    expect(phone.seen).toEqual(['Requested two'])
  })

  it('asks again when the first message of a connection lacks the request that a reply listed', async () => {
    const phone = await startPhone()
    await (await phone.poll(1))(request)
    phone.told(null)
    await (await phone.poll(2))(request)
    expect(phone.seen).toEqual(['Requested one'])
    phone.told(request)
    phone.told(null)
    expect(phone.seen).toEqual(['Requested one', 'Answered one'])
  })

  it('notices after a lost connection that a request is over', async () => {
    const phone = await startPhone()
    await (await phone.poll(1))(null)
    phone.changed(true)
    phone.told(request)
    phone.changed(false)
    phone.changed(true)
    phone.told(null)
    await (await phone.poll(2))(null)
    expect(phone.seen).toEqual(['Idle', 'Requested one', 'Answered one'])
  })

  it('polls once more if the first message of a connection or a notification arrives during a poll', async () => {
    const phone = await startPhone()
    const first = await phone.poll(1)
    phone.told(null)
    phone.push()
    await first(null)
    await (await phone.poll(2))(request)
    expect(phone.seen).toEqual(['Idle', 'Requested one'])
    expect(phone.polls).toHaveLength(2)
  })
})
