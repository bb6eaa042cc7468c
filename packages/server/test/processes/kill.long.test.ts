import { test } from 'vitest'
import { killAndCompare } from './kill-and-compare.ts'

test(
  'RX-1: 100 SIGKILLs during all kinds of writes lose no acknowledged write and revive no used token',
  () => killAndCompare(100, 3),
  900_000,
)
