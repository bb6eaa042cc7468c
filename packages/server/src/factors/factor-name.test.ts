import { maxNameLength } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { freeName } from './factor-name.ts'

const longest = 'x'.repeat(limits.factor.nameLength)

test.each([
  ['Pixel 7', [], 'Pixel 7'],
  ['Pixel 7', ['iPhone'], 'Pixel 7'],
  ['Pixel 7', ['PIXEL 7'], 'Pixel 7 2'],
  ['iPhone', ['iPhone', 'iphone 2'], 'iPhone 3'],
  [longest, [longest], `${longest.slice(2)} 2`],
])('for the name %s with %j taken, returns %s', (name, taken, free) => expect(freeName(name, taken)).toBe(free))

test('the pages and the server have the same maximum length of names', () => {
  expect([limits.factor.nameLength, limits.pass.nameLength]).toEqual([maxNameLength, maxNameLength])
})
