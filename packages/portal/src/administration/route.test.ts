import { describe, expect, it } from 'vitest'
import { addressOf, type Place, placeOf } from './route.ts'

const read = (address: string) => {
  const url = new URL(address, 'https://gate.example/base/')
  return placeOf(`/base${url.pathname}`, url.search)
}

describe('a place of the administration page', () => {
  it.each<[Place, string]>([
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
  ])('%o stands in its address and is read from it', (place, address) => {
    expect(addressOf(place)).toBe(address)
    expect(read(address)).toEqual(place)
  })

  it('an address that says nonsense is the nearest place there is', () => {
    expect(read('/administration?range=Century')).toEqual({ at: 'board', range: 'Day' })
    expect(read('/administration/users?filter=toString')).toMatchObject({ at: 'users', filter: 'All' })
    expect(read('/administration/second-factors?filter=Locked')).toMatchObject({ filter: 'WithoutFactor' })
    expect(read('/administration/user')).toMatchObject({ at: 'users' })
  })
})
