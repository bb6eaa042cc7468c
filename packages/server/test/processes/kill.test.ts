import { test } from 'vitest'
import { killAndCompare } from './kill-and-compare.ts'

// The long suite kills a hundred times, until every kind of write has happened.
test('RX-1: 3 SIGKILLs during writes lose no acknowledged write and revive no used token', () => killAndCompare(3, 0), 300_000)
