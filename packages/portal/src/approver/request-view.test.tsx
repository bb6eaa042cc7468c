// @vitest-environment jsdom
import type { PendingChallenge, Place } from '@gatehouse/wire'
import { act } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type } from '../testing/administration-page.tsx'
import { button, draw, field, press } from '../testing/render.ts'
import { DenyView, RequestView } from './request-view.tsx'

const request = (place: Place): PendingChallenge => ({
  challengeUUID: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  username: 'ada@example.com',
  challengeDateCreated: '2026-11-20T15:04:05.000Z',
  challengeExpires: '2026-11-20T15:06:05.000Z',
  isEnrolment: false,
  from: { address: '203.0.113.7', place, browser: 'Firefox', system: 'Linux' },
})
const nothing = () => {}
const opened = (place: Place = 'Elsewhere') =>
  draw(
    <RequestView
      state={{ is: 'Requested', request: request(place) }}
      onApprove={nothing}
      onWrong={nothing}
      onEdit={nothing}
      onDenyChosen={nothing}
    />,
  )

describe('a request on the phone', () => {
  it('focuses the number field, in a form that says where the sign-in comes from', async () => {
    await opened()
    const number = document.querySelector('input')
    expect(document.activeElement).toBe(number)
    const form = number?.form
    expect(form?.getAttribute('aria-label')).toBe('Is this you?')
    const facts = document.getElementById(form?.getAttribute('aria-describedby') ?? '')
    expect(facts?.textContent).toContain('Firefox on Linux')
    expect(facts?.textContent).toContain('203.0.113.7')
  })

  it('says what to do when no screen shows a number', async () => {
    const page = await opened()
    expect(page.textContent).toContain('No number on your screen? Then this isn’t you. Tap “This was not me”.')
  })

  it('shows the time in 24-hour format', async () => {
    const page = await opened()
    const [, hours = ''] = /When(\d{2}):04:05/.exec(page.textContent ?? '') ?? []
    expect(Number(hours)).toBe(new Date(request('Here').challengeDateCreated).getHours())
  })

  it.each<[Place, string, boolean]>([
    ['Elsewhere', 'Another network', true],
    ['Unknown', 'Unknown network', true],
    ['Here', 'Same network as this phone', false],
    ['Inside', 'A private network', false],
    ['Server', 'The server itself', false],
  ])('from %s says %s (amber: %s)', async (place, text, isAmber) => {
    const page = await opened(place)
    expect(page.textContent).toContain(text)
    expect(page.querySelector('[class*=amber]')?.textContent).toBe(isAmber ? text : undefined)
  })

  it.each(['٠١٢٣٤٥', '०१२ ३४५', '０１２３４５'])('accepts the digits %s', async typed => {
    const approved: string[] = []
    await draw(
      <RequestView
        state={{ is: 'Requested', request: request('Here') }}
        onApprove={number => approved.push(number)}
        onWrong={nothing}
        onEdit={nothing}
        onDenyChosen={nothing}
      />,
    )
    await type('challenge-number', typed)
    expect(field('challenge-number').value).toBe('012345')
    await press('Approve')
    expect(approved).toEqual(['012345'])
  })

  it('shows the time left beside the heading, and ‘Expired’ when no time is left', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T15:05:00Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const page = await opened()
    const beside = page.querySelector('h1')?.nextElementSibling
    expect(beside?.textContent).toBe('Time left 1:05')
    await act(async () => vi.advanceTimersByTime(66_000))
    expect(page.querySelector('h1')?.nextElementSibling?.textContent).toBe('Expired')
  })

  it('denies with a red button, and approves with a filled one', async () => {
    await opened()
    expect([button('Approve').className, button('This was not me').className]).toEqual([
      expect.stringMatching(/primary/),
      expect.stringMatching(/danger/),
    ])
  })
})

it('blocks a sign-in with a red button', async () => {
  await draw(<DenyView state={{ is: 'ConfirmingDenial', request: request('Here') }} onDeny={nothing} onBack={nothing} />)
  expect(button('Block this sign-in').className).toMatch(/danger/)
})
