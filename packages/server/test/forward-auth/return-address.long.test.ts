import { test } from 'vitest'
import { hostileAddresses } from '../http/hostile-addresses.ts'
import { passHostileAddresses } from './hostile-returns.ts'

test(`HD-05, A14: ${hostileAddresses.length} hostile addresses lead to the dashboard from every page, however they are passed`, () =>
  passHostileAddresses(true))
