import { expect, test } from 'vitest'
import { nameOfDevice, wantsHomeScreen } from './device-name.ts'

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1'
const pixel = 'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36'

test.each([
  [iPhone, 'iPhone'],
  [pixel, 'Pixel 7'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36', 'Android phone'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Android phone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'This device'],
  ['', 'This device'],
])('turns the user agent ‘%s’ into the name ‘%s’', (userAgent, name) => expect(nameOfDevice(userAgent)).toBe(name))

test('asks iPhone users to add the page to the home screen, unless it already runs there', () => {
  expect(wantsHomeScreen({ userAgent: iPhone })).toBe(true)
  expect(wantsHomeScreen({ userAgent: iPhone, standalone: true })).toBe(false)
  expect(wantsHomeScreen({ userAgent: pixel })).toBe(false)
})
