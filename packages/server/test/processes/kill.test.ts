import { test } from 'vitest'
import { killAndCompare } from './kill-and-compare.ts'

// The long suite kills a hundred times, and goes on until every kind of write has happened.
test('RX-1: a SIGKILL during writes loses no acknowledged write and revives no used token', () => killAndCompare(1, 0, 2000), 300_000)
