// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import type { AuthOutcome, PushOutcome, PushStatus } from '@gatehouse/wire'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PushApi } from '../../calls/push-api.ts'
import { areaAfter } from '../../testing/sign-in-area.tsx'

watchConsole()
afterEach(() => void vi.useRealTimers())

const opened: PushOutcome = {
  tag: 'PushChallengeOpened',
  contents: { challengeUUID: 'one', challengeNumber: '012345', challengeExpires: '2046-11-20T03:02:00Z' },
}
const status = (challengeStatus: PushStatus['challengeStatus'], challengeUUID = 'one'): PushStatus => ({
  challengeUUID,
  challengeStatus,
  challengeRespondedReason: { tag: 'NotRequested' },
})
const requires = (...factorTypes: ('Push' | 'TOTP')[]): AuthOutcome => ({ tag: 'AuthRequires2FA', contents: { factorTypes } })
const otp = { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ' }

const arrive = async (outcome: AuthOutcome, answer: PushOutcome = opened) => {
  let onStatus: ((status: PushStatus) => void) | undefined
  let onStateChange: ((isOpen: boolean) => void) | undefined
  const close = vi.fn()
  const push = {
    pushChallenge: vi.fn<PushApi['pushChallenge']>(() => Promise.resolve({ ok: true, value: answer })),
    pushStatus: vi.fn<PushApi['pushStatus']>(() => Promise.resolve({ ok: true, value: status('Pending') })),
    watchStatus: vi.fn<PushApi['watchStatus']>((status, stateChange) => {
      onStatus = status
      onStateChange = stateChange
      return close
    }),
  }
  const area = await areaAfter(outcome, {}, push)
  return {
    ...area,
    push,
    close,
    update: (status: PushStatus) => act(async () => onStatus?.(status)),
    setOpen: (isOpen: boolean) => act(async () => onStateChange?.(isOpen)),
  }
}
const press = (area: Awaited<ReturnType<typeof arrive>>, name: string) => area.user.click(screen.getByRole('button', { name }))

const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join()

describe('phone approval', () => {
  it('is offered beside the code, sends a challenge at once, reads the number digit by digit, and verifies without a code', async () => {
    const area = await arrive(requires('Push', 'TOTP'))
    await press(area, 'Approve on your phone')
    await waitFor(() => expect(screen.getByText('012 345').dir).toBe('ltr'))
    expect(area.push.pushChallenge.mock.calls.map(([body]) => body)).toEqual([otp])
    expect(screen.getAllByRole('status').map(region => region.textContent)).toContain('Type this number on your phone: 0 1 2 3 4 5')
    await area.update(status('Approved', 'another'))
    expect(area.bodies('verifyOTP')).toEqual([])
    await area.update(status('Approved'))
    await waitFor(() => expect(area.bodies('verifyOTP')).toEqual([otp]))
    expect(area.close).toHaveBeenCalledOnce()
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: { authTokenSelector: 's', authTokenToken: 't' } })
    expect(screen.getByRole('button', { name: 'Verified, please wait' })).toBeTruthy()
    expect(area.bodies('loginWithToken')).toHaveLength(1)
  })

  it('comes first if phones are the only second factor, waits for a press, and is reachable from the recovery-code page', async () => {
    const area = await arrive(requires('Push'))
    expect(screen.queryByLabelText('Verification Code')).toBeNull()
    expect(area.push.pushChallenge).not.toHaveBeenCalled()
    await press(area, 'Use a recovery code')
    await press(area, 'Approve on your phone')
    const instruction = () => screen.queryByText('Show the number, then type it on your phone to sign in.')
    expect(instruction()).toBeTruthy()
    await press(area, 'Show the number')
    expect(instruction()).toBeNull()
    await area.update(status('Denied'))
    expect(alerts()).toContain('This sign-in was blocked on your phone.')
    await press(area, 'Get a new number')
    expect(area.push.pushChallenge).toHaveBeenCalledTimes(2)
  })

  it('polls every 2 seconds without a socket, and every 10 seconds with one', async () => {
    const area = await arrive(requires('Push'))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await press(area, 'Show the number')
    await act(async () => void vi.advanceTimersByTime(4000))
    expect(area.push.pushStatus).toHaveBeenCalledTimes(2)
    await area.setOpen(true)
    await act(async () => void vi.advanceTimersByTime(9999))
    expect(area.push.pushStatus).toHaveBeenCalledTimes(2)
    area.push.pushStatus.mockResolvedValueOnce({ ok: true, value: status('Expired') })
    await act(async () => void vi.advanceTimersByTime(1))
    expect(alerts()).toContain('The request timed out.')
  })

  it('is not offered if the server names no factor types', async () => {
    const area = await arrive({ tag: 'AuthRequires2FA' })
    expect(screen.queryByText('Approve on your phone')).toBeNull()
    expect(area.push.watchStatus).not.toHaveBeenCalled()
  })
})
