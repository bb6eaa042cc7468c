import { describe, expect, it } from 'vitest'
import { decode } from '../src/index.ts'
import { fixtures, isStrict, roundTrip, shapeOf, shapes } from './exported-shapes.ts'
import { hostile, hostileObjects, hostileTexts } from './hostile.ts'
import { lookUp, type Path, pathsOf, replaced, without } from './mutation.ts'

const at = (file: string, path: Path) => `${file} /${path.join('/')}`
const pathsWhere = (which: (value: unknown, path: Path) => boolean) =>
  fixtures.flatMap(({ file, of, message }) =>
    pathsOf(message)
      .filter(path => which(lookUp(message, path), path))
      .map(path => ({ location: at(file, path), of, message, path })),
  )

const accepts = (of: string, message: unknown) => decode(shapeOf(of), message).ok

/** Fields that may be absent or null (§3, decisions §1). All others are required. */
const optional =
  /^(AuthToken|PlowLoginRequest|AuthOutcome\.AuthSuccessful)\.json .*\/authToken(UserAgent|Expires|User)$|\/factor(Binding|DateVerified|DateLastUsed)$|\/otp(Verification|FactorUUID)$|\/user(Password|AzureId|GoogleId|PakId)$|\/email(User|Verkey)$|^MailLink\.Good\.json \/email$|^UserUpdateRequest\.json \/timezone$|\/(browser|system)$|\/rows\/0\/from$|^OwnAccount\.json \/browsers\/0\/(browserFirstSeen|from)$|^(OwnPasses|PassList|AdministeredPass)\.json .*\/(used|usedFrom|user|service|after)$|^UserDetail\.json \/passes$|^OwnAccount\.json \/(passes|userLanguage)$|^(OwnAccount|Activity)\.json .*\/more$|^(ListedUser|UserList|UserDetail)\.json .*\/(lastSignIn|until|after|signIn|activity\/0\/from|approvalsPausedUntil)$|^AttemptList\.json .*\/(user|from|after)$|^WaitingMails\.json .*\/(mailTo|mailRefused)$|^AdministrationOverview\.json .*\/(mailsRefused|outageEnded|outageChecks)$|^AuthOutcome\.AuthRequires2FA\.json \/contents$|^PushPending\.json \/(pending|wake\/(ntfy|gotify))$|^SocketMessage\.Pending\.json \/contents$|^PushAnswerRequest\.json \/number$|^PushSubscribeRequest\.json \/subscription$|^OwnAccount\.json .*\/factorFactorType$|^ErrorBody\.code\.json \/code$|^ContinueRequest\.json \/passkeys$|^Passkey\w+\.json \/(.*\/)?(allowCredentials|transports|userHandle|upgrade)$/
/** May be absent, but not null: a query has no null, and a flag is on, off or absent. */
const absentOnly =
  /^FeatureQuery\.json \/name$|^(UserListRequest|BoardRequest|PassListRequest|PassesEndRequest)\.json \/|^AttemptListRequest\.json \/after$|^Features\.all\.json \/features\//
/** May be null, but must be present (§3: not optional). */
const nullOnly = /^LanguageRequest\.json \/userLanguage$|^Challenge\.Pending\.json \/challengeDateResponded$/

describe('hostile values', () => {
  it.each(hostile)('every decoder refuses %s', (_, value) => {
    expect([...shapes.keys()].filter(name => accepts(name, value))).toEqual([])
  })

  it.each([['null', null] as const, ['undefined', undefined] as const])('every decoder refuses %s', (_, value) => {
    expect([...shapes.keys()].filter(name => accepts(name, value))).toEqual([])
  })

  it.each(hostileObjects)('every decoder that reads a field refuses %s', (_, value) => {
    expect([...shapes.keys()].filter(name => accepts(name, value))).toEqual(['Nothing'])
    expect(Reflect.has({}, 'polluted')).toBe(false)
  })

  it.each(hostile)('no path in a golden message accepts %s', (_, value) => {
    expect(
      pathsWhere(() => true)
        .filter(({ of, message, path }) => accepts(of, replaced(message, path, value)))
        .map(({ location }) => location),
    ).toEqual([])
  })

  it('no path accepts a list that contains its value', () => {
    expect(
      pathsWhere(() => true)
        .filter(({ of, message, path }) => accepts(of, replaced(message, path, [lookUp(message, path)])))
        .map(({ location }) => location),
    ).toEqual([])
  })

  it('refuses a text in place of a number, and a number in place of a text', () => {
    const numbers = pathsWhere(value => typeof value === 'number')
    expect(numbers.length).toBeGreaterThan(3)
    for (const { location, of, message, path } of numbers)
      expect(accepts(of, replaced(message, path, String(lookUp(message, path)))), location).toBe(false)
    for (const { location, of, message, path } of pathsWhere(value => typeof value === 'string'))
      expect(accepts(of, replaced(message, path, 12345)), location).toBe(false)
  })
})

describe('a missing field', () => {
  const inObjects = pathsWhere((_, path) => typeof path.at(-1) === 'string')

  it.each(inObjects)('$location is accepted only if the field is optional', ({ location, of, message, path }) => {
    expect(accepts(of, without(message, path))).toBe(optional.test(location) || absentOnly.test(location))
    expect(accepts(of, replaced(message, path, null))).toBe(optional.test(location) || nullOnly.test(location))
  })
})

describe('unknown fields and unstorable text', () => {
  const objects = pathsWhere(
    (value, path) => typeof value === 'object' && value !== null && !Array.isArray(value) && path.at(-1) !== 'features',
  )

  it.each(objects)('a request refuses an unknown field, and any other message drops it: $location', ({ of, message, path }) => {
    const own = lookUp(message, path) as object
    for (const extra of [{ hostile: 'x' }, JSON.parse('{"__proto__":{"polluted":true}}') as object]) {
      const more = Object.defineProperties({ ...own }, Object.getOwnPropertyDescriptors(extra))
      const body = replaced(message, path, more)
      if (isStrict(of)) expect(accepts(of, body)).toBe(false)
      else expect(roundTrip(shapeOf(of), body)).toStrictEqual(message)
      expect(Reflect.has({}, 'polluted')).toBe(false)
    }
  })

  it.each(hostileTexts)('no text field of a request accepts %s', (_, text) => {
    const texts = pathsWhere(value => typeof value === 'string').filter(({ of }) => isStrict(of))
    expect(texts.length).toBeGreaterThan(40)
    expect(texts.filter(({ of, message, path }) => accepts(of, replaced(message, path, text))).map(({ location }) => location)).toEqual([])
  })
})
