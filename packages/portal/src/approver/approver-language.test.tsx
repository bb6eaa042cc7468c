// @vitest-environment jsdom
import { pseudoTag } from '@gatehouse/language/pseudo.ts'
import type { ChallengeRespondedReason, PendingChallenge, Place } from '@gatehouse/wire'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { approverTexts, speak } from '../messages/current.ts'
import { plainWordsOf, pseudoOf } from '../testing/pseudo-language.ts'
import { draw } from '../testing/render.ts'
import { allEnglish } from '../testing/speak-english.ts'
import type { End } from './approver-state.ts'
import { nameOfDevice } from './device-name.ts'
import { EndView, RemovedView } from './end-view.tsx'
import { IdleView } from './idle-view.tsx'
import { DenyView, RequestView } from './request-view.tsx'
import { StartView, UnusableView } from './start-view.tsx'

beforeEach(() => speak(pseudoTag, pseudoOf(allEnglish)))
afterEach(() => speak('en', allEnglish))

// No Latin letters in the data.
const request = (place: Place, isEnrolment = false): PendingChallenge => ({
  challengeUUID: '1',
  username: 'ада@почта.рф',
  challengeDateCreated: '2026-11-20T15:04:05.000Z',
  challengeExpires: '2026-11-20T15:06:05.000Z',
  isEnrolment,
  from: { address: '203.0.113.7', place, browser: place === 'Unknown' ? null : 'Браузер', system: 'Система' },
})
const nothing = () => {}
const requested = (of: PendingChallenge) => (
  <RequestView state={{ is: 'Requested', request: of }} onApprove={nothing} onWrong={nothing} onEdit={nothing} onDenyChosen={nothing} />
)
const ended = (end: End, isEnrolment = false) => (
  <EndView state={{ is: 'Answered', end, request: request('Here', isEnrolment) }} onDone={nothing} />
)
const reasons: ChallengeRespondedReason[] = [
  ...(['ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode'] as const).map(tag => ({ tag })),
  { tag: 'WrongFactorType', contents: 'TOTP' },
]
const idle = { accounts: [], isWaiting: false, connectionProblem: undefined, onRemove: nothing, children: undefined }

it.each<[string, ReactNode]>([
  ...(['Here', 'Server', 'Inside', 'Elsewhere', 'Unknown'] as const).map((place): [string, ReactNode] => [
    `a request: ${place}`,
    requested(request(place)),
  ]),
  ['an enrollment', requested(request('Here', true))],
  ['a denial', <DenyView key="" state={{ is: 'ConfirmingDenial', request: request('Here') }} onDeny={nothing} onBack={nothing} />],
  ...reasons.flatMap((reason): [string, ReactNode][] => [
    [`denied: ${reason.tag}`, ended({ is: 'Denied', reason })],
    [`an enrollment, denied: ${reason.tag}`, ended({ is: 'Denied', reason }, true)],
  ]),
  ['approved', ended({ is: 'Approved' })],
  ['enrolled', ended({ is: 'Approved' }, true)],
  ['expired', ended({ is: 'Expired' })],
  ['gone', ended({ is: 'Gone' })],
  ['removed', <RemovedView key="" username="ада@почта.рф" onDone={nothing} />],
  ['the start', <StartView key="" onLink={nothing} />],
  ['over http', <UnusableView key="" why="insecure" />],
  ['without a store', <UnusableView key="" why="store" />],
  ['nothing to approve', <IdleView key="" {...idle} />],
  ['an enrollment that waits', <IdleView key="" {...idle} isWaiting />],
])('shows no English in another language: %s', async (_, view) => {
  const page = await draw(view)
  expect(page.textContent).toMatch(/[àéöû]/)
  expect(plainWordsOf(page)).toEqual([])
})

it('names an unknown phone in the language of the page', () => {
  expect(nameOfDevice('Mozilla/5.0 (Android 15; Mobile; rv:140.0)')).toBe(approverTexts.phoneNames.Android)
  expect(nameOfDevice('')).toBe(approverTexts.phoneNames.other)
  expect(nameOfDevice('')).not.toBe('This device')
})
