import { describe, expect, it } from 'vitest'
import { addressOf, type Route, routeOf } from './route.ts'

const read = (address: string) => {
  const url = new URL(address, 'https://gate.example/base/')
  return routeOf(`/base${url.pathname}`, url.search)
}

describe('a route of the administration page', () => {
  it.each<[Route, string]>([
    [{ at: 'board', range: 'Day' }, '/administration'],
    [{ at: 'board', range: 'Quarter' }, '/administration?range=Quarter'],
    [{ at: 'users', search: '', filter: 'All', after: undefined }, '/administration/users'],
    [
      { at: 'users', search: 'a b&c=%', filter: 'Locked', after: 'begins x+y@example.com' },
      '/administration/users?search=a+b%26c%3D%25&filter=Locked&after=begins+x%2By%40example.com',
    ],
    [{ at: 'second-factors', search: '', filter: 'Skipped', after: undefined }, '/administration/second-factors?filter=Skipped'],
    [{ at: 'user', userId: '7f&' }, '/administration/user?id=7f%26'],
    [{ at: 'mails' }, '/administration/mails'],
  ])('reads %o back from its address', (route, address) => {
    expect(addressOf(route)).toBe(address)
    expect(read(address)).toEqual(route)
  })

  it('reads an unknown address as the nearest route', () => {
    expect(read('/administration?range=Century')).toEqual({ at: 'board', range: 'Day' })
    expect(read('/administration/users?filter=toString')).toMatchObject({ at: 'users', filter: 'All' })
    expect(read('/administration/second-factors?filter=Locked')).toMatchObject({ filter: 'WithoutFactor' })
    expect(read('/administration/user')).toMatchObject({ at: 'users' })
  })
})
