import { pagePaths } from '@gatehouse/wire/page-props'
import { describe, expect, it } from 'vitest'
import { addressOf, allPasses, allUsers, type Route, routeOf, withoutFactor } from './route.ts'

const read = (address: string) => {
  const url = new URL(address, 'https://gate.example/base/')
  return routeOf(`/base${url.pathname}`, url.search)
}

describe('a route of the administration page', () => {
  it.each<[Route, string]>([
    [{ at: 'board', range: 'Day' }, '/administration'],
    [{ at: 'board', range: 'Quarter' }, '/administration?range=Quarter'],
    [allUsers, '/administration/users'],
    [{ ...allUsers, sort: 'LastSignIn', descending: true }, '/administration/users?sort=LastSignIn&descending=yes'],
    [
      {
        at: 'attempts',
        look: 'WrongPassword',
        from: '2026-11-20T02:00:00.000Z',
        until: '2026-11-20T03:00:00.000Z',
        after: '1 a',
      },
      '/administration/sign-ins?show=WrongPassword&from=2026-11-20T02%3A00%3A00.000Z&until=2026-11-20T03%3A00%3A00.000Z&after=1+a',
    ],
    [
      { at: 'attempts', look: 'Failed', from: '2026-11-20T02:00:00.000Z', until: '2026-11-20T03:00:00.000Z', after: undefined },
      '/administration/sign-ins?show=Failed&from=2026-11-20T02%3A00%3A00.000Z&until=2026-11-20T03%3A00%3A00.000Z',
    ],
    [
      { ...allUsers, search: 'a b&c=%', filter: 'Locked', after: 'begins x+y@example.com' },
      '/administration/users?search=a+b%26c%3D%25&filter=Locked&after=begins+x%2By%40example.com',
    ],
    [{ ...withoutFactor, filter: 'Skipped' }, '/administration/second-factors?filter=Skipped'],
    [{ at: 'user', userId: '7f&' }, '/administration/user?id=7f%26'],
    [{ at: 'mails' }, '/administration/mails'],
    [allPasses, '/administration/passes'],
    [
      { ...allPasses, search: 'back up', holders: 'Services', after: '1 a' },
      '/administration/passes?search=back+up&holders=Services&after=1+a',
    ],
    [{ ...allPasses, userId: '7f&' }, '/administration/passes?user=7f%26'],
    [{ ...allPasses, service: 'prometheus', after: '1 a' }, '/administration/passes?service=prometheus&after=1+a'],
  ])('reads %o back from its address, which is a path of the page', (route, address) => {
    expect(addressOf(route)).toBe(address)
    expect(pagePaths.administration).toContain(new URL(address, 'https://gate.example').pathname)
    expect(read(address)).toEqual(route)
  })

  it('reads an unknown address as the nearest route', () => {
    expect(read('/administration?range=Century')).toEqual({ at: 'board', range: 'Day' })
    expect(read('/administration/users?filter=toString')).toMatchObject({ at: 'users', filter: 'All' })
    expect(read('/administration/second-factors?filter=Locked')).toMatchObject({ filter: 'WithoutFactor' })
    expect(read('/administration/users?sort=toString')).toEqual(allUsers)
    for (const query of ['', 'show=toString&from=2026-11-20T02:00:00Z&until=2026-11-20T03:00:00Z', 'show=Locked&from=soon&until=later'])
      expect(read(`/administration/sign-ins?${query}`)).toEqual({ at: 'board', range: 'Day' })
    expect(read('/administration/passes?holders=toString')).toEqual(allPasses)
    expect(read('/administration/user')).toMatchObject({ at: 'users' })
  })
})
