import * as v from 'valibot'
import { utf8ByteLength } from '../sign-in/checks.ts'

/** PostgreSQL cannot store U+0000, and encoding a lone surrogate as UTF-8 changes the text. */
export const isStorable = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text)
const notStorable = 'must not contain U+0000 or half a surrogate pair'

/** Text of a request, at most `length` UTF-16 units long. */
/* @__NO_SIDE_EFFECTS__ */
export const upTo = (length: number) =>
  v.pipe(v.string(), v.maxLength(length, `must have at most ${length} characters`), v.check(isStorable, notStorable))

/** An email address as a username: at most 64 characters, the at sign and 255 for the host (RFC 5321 §4.5.3.1). */
export const username = upTo(320)

/** An id, a selector or a token: opaque to clients. */
export const id = upTo(128)

/** The longest name of a second factor or a pass, in code points. */
export const maxNameLength = 64

/** Maximum password length in UTF-8 bytes. A longer password is refused, never truncated. */
export const maxPasswordBytes = 1024

export const password = v.pipe(
  v.string(),
  v.check(
    text => text.length <= maxPasswordBytes && utf8ByteLength(text) <= maxPasswordBytes,
    `must have at most ${maxPasswordBytes} bytes`,
  ),
  v.check(isStorable, notStorable),
)
