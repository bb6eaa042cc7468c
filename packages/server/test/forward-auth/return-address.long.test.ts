import { test } from 'vitest'
import { hostileAddresses } from '../http/hostile-addresses.ts'
import { passHostileAddresses } from './hostile-returns.ts'

test(`HD-05, A14: ${hostileAddresses.length} hostile addresses never lead away from Gatehouse, on any page, however they are passed`, () =>
  passHostileAddresses(true))
