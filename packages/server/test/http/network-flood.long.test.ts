import { test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { floodFrom } from './network-flood.ts'

test(
  'TH-18: memory stays within its bound in a flood from 500,000 networks, and networks over their limit stay refused',
  () => floodFrom(500_000),
  minutes(1),
)
