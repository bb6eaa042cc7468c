import type { DoorState } from '@gatehouse/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits, minutes } from '../../limits.ts'
import { advance, type DoorCourse } from './door-course.ts'

/** Reports one state a minute. @returns for each report, the state in effect, whether the log names it, and the mail */
const follow = (states: readonly DoorState[], every = minutes(1)) => {
  let course: DoorCourse | undefined
  let now = 0
  return states.map(state => {
    now += every
    const next = advance(course, { state, path: '/', status: null, detail: null }, now)
    course = next.course
    return `${course.finding.state}${next.events.named ? ' named' : ''}${next.events.mail ? ` ${next.events.mail}` : ''}`
  })
}

test('logs an open door after two rounds find it, and its end after two rounds do not', () => {
  expect(follow(['Closed', 'Open', 'Open', 'Open', 'Closed', 'Closed', 'Closed'])).toEqual([
    'Closed',
    'Closed',
    'Open named began',
    'Open',
    'Open',
    'Closed named ended',
    'Closed',
  ])
})

test('neither logs nor mails what a single round finds', () => {
  expect(new Set(follow(['Open', 'Closed', 'Unreachable', 'Closed', 'CheckSkipped', 'Closed']))).toEqual(new Set(['Closed']))
})

test('counts different signs of an open door as one finding', () => {
  expect(follow(['Open', 'RedirectElsewhere', 'CheckSkipped'])).toEqual(['Closed', 'RedirectElsewhere named began', 'CheckSkipped named'])
})

test('does not let an application interrupt or end an alarm with answers that show nothing', () => {
  const states: DoorState[] = ['Open', 'Unreachable', 'Unreachable', 'Open', 'Unreachable', 'Unreachable', 'CertificateInvalid']
  expect(follow(states).slice(2)).toEqual(['Closed', 'Open named began', 'Open', 'Open', 'Open'])
  expect(follow(['Unreachable', 'Unreachable', 'Open', 'Unreachable', 'Open']).at(-1)).toBe('Open named began')
})

test('mails about an unreachable origin only after 15 minutes, and about a worse finding at once', () => {
  const unreachable = Array<DoorState>(18).fill('Unreachable')
  const before = follow([...unreachable, 'Open', 'Open'])
  expect(before.findIndex(one => one.includes('began'))).toBe(limits.openDoor.unreachable / minutes(1))
  expect(before[1]).toBe('Unreachable named')
  expect(before.slice(-2)).toEqual(['Unreachable', 'Open named began'])
})

test('mails about the end of an open door even if the certificate expires soon', () => {
  expect(follow(['Open', 'Open', 'CertificateEnds', 'CertificateEnds'])).toEqual([
    'Closed',
    'Open named began',
    'Open',
    'CertificateEnds named ended',
  ])
})

/** Each alarm’s mails with their minutes. An alarm lasts from its first `began` mail to its `ended` mail. */
const alarmsOf = (states: readonly DoorState[]) => {
  const alarms: { mail: string; minute: number }[][] = []
  for (const [minute, one] of follow(states).entries()) {
    const mail = /began|ended/.exec(one)?.[0]
    if (mail === undefined) continue
    const last = alarms.at(-1)
    if (last && last.at(-1)?.mail !== 'ended') last.push({ mail, minute })
    else alarms.push([{ mail, minute }])
  }
  return alarms
}
const mailsOf = (states: readonly DoorState[]) => alarmsOf(states).map(alarm => alarm.map(({ mail }) => mail))

test('mails about one alarm an hour while a door keeps opening and closing, and mails again when it stays open', () => {
  const hour = Array.from({ length: 60 }, (_, i): DoorState => (i % 4 < 2 ? 'Open' : 'Closed'))
  expect(follow(hour).filter(one => /began|ended/.test(one))).toEqual(['Open named began', 'Closed named ended'])
  expect(mailsOf([...hour, ...Array<DoorState>(10).fill('Open')])).toEqual([['began', 'ended'], ['began']])
})

test('sends three mails about an alarm that gets worse: when it begins, gets worse and ends', () => {
  const worse = [...Array<DoorState>(18).fill('Unreachable'), 'Open', 'Open', 'Closed', 'Closed'] as const
  expect(mailsOf(worse)).toEqual([['began', 'began', 'ended']])
})

test('sends at most one alarm an hour, in at most three mails, whatever the application answers', () => {
  const answers = fc.constantFrom<DoorState>('Open', 'CheckSkipped', 'RedirectLoop', 'RedirectElsewhere', 'Unreachable', 'Closed')
  const runs = fc.array(fc.record({ state: answers, rounds: fc.integer({ min: 1, max: 40 }) }), { maxLength: 40, size: 'max' })
  const most = { alarms: 0, mails: 0 }
  fc.assert(
    fc.property(runs, all => {
      const alarms = alarmsOf(all.flatMap(({ state, rounds }) => Array<DoorState>(rounds).fill(state)))
      most.alarms = Math.max(most.alarms, alarms.length)
      for (const [i, alarm] of alarms.entries()) {
        most.mails = Math.max(most.mails, alarm.length)
        expect(alarm.length).toBeLessThanOrEqual(3)
        const began = alarms[i - 1]?.filter(({ mail }) => mail === 'began').at(-1)?.minute ?? Number.NEGATIVE_INFINITY
        expect((alarm[0]?.minute ?? 0) - began).toBeGreaterThanOrEqual(60)
      }
    }),
    { numRuns: 300 },
  )
  expect(most).toEqual({ alarms: expect.toSatisfy(count => Number(count) > 1), mails: 3 })
})

test('mails about an unreachable origin within 15 minutes even after the clock is set back', () => {
  const { course } = advance(undefined, { state: 'Unreachable', path: '/', status: null, detail: null }, minutes(1000))
  const { course: named } = advance(course, course.suspect?.finding ?? course.finding, minutes(1001))
  const back = advance(named, named.finding, minutes(1))
  expect(advance(back.course, named.finding, minutes(16)).events.mail).toBe('began')
})
