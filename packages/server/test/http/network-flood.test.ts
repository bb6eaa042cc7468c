import { test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { floodFrom } from './network-flood.ts'

test(
  'TH-18: memory stays within its bound in a flood from 100,000 networks, and networks over their limit stay refused',
  () => floodFrom(100_000),
  minutes(1),
)
