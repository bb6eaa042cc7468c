import { expect, test } from 'vitest'
import { readEnrolmentFragment, readEnrolmentLink } from './enrolment-link.ts'

const link = { selector: 'Ab-1', token: 'c_D2' }

test.each([
  ['#enrol=Ab-1.c_D2', link],
  ['', undefined],
  ['#enrol=Ab-1', undefined],
  ['#enrol=Ab-1.', undefined],
  ['#enrol=Ab-1.c_D2.more', undefined],
  ['#Ab-1.c_D2', undefined],
  [`#enrol=${'a'.repeat(129)}.b`, undefined],
])('reads the fragment ‘%s’ as %o', (hash, read) => expect(readEnrolmentFragment(hash)).toEqual(read))

test.each([
  [' https://gate.example/in/approve#enrol=Ab-1.c_D2 ', link],
  ['https://elsewhere.example/approve#enrol=Ab-1.c_D2', undefined],
  ['Ab-1.c_D2', undefined],
  ['', undefined],
])('reads the pasted text ‘%s’ as %o', (text, read) => expect(readEnrolmentLink(text, 'https://gate.example')).toEqual(read))
