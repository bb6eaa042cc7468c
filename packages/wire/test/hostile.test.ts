import { describe, expect, it } from 'vitest'
import { decode } from '../src/index.ts'
import { fixtures, isStrict, shapeOf, shapes, thereAndBack } from './door.ts'
import { hostile, hostileObjects, hostileTexts } from './hostile.ts'
import { lookUp, type Path, pathsOf, replaced, without } from './mutation.ts'

const at = (file: string, path: Path) => `${file} /${path.join('/')}`
const places = (which: (value: unknown, path: Path) => boolean) =>
  fixtures.flatMap(({ file, of, message }) =>
    pathsOf(message)
      .filter(path => which(lookUp(message, path), path))
      .map(path => ({ place: at(file, path), of, message, path })),
  )

const taken = (of: string, message: unknown) => decode(shapeOf(of), message).ok

/** Fields that may be absent or null (§3, decisions §1). All others must be there. */
const optional =
  /^(AuthToken|PlowLoginRequest|AuthOutcome\.AuthSuccessful)\.json .*\/authToken(UserAgent|Expires|User)$|\/factor(Binding|DateVerified|DateLastUsed)$|\/otp(Verification|FactorUUID)$|\/user(Password|AzureId|GoogleId|PakId)$|\/email(User|Verkey)$|^MailLink\.Good\.json \/email$|^UserUpdateRequest\.json \/timezone$|\/(browser|system)$|\/rows\/0\/from$|^(OwnAccount|Activity)\.json .*\/more$|^(ListedUser|UserList|UserDetail)\.json .*\/(lastSignIn|until|after|sessionFactor|auditAddress)$|^WaitingMails\.json .*\/(mailTo|mailRefused)$|^AdministrationOverview\.json .*\/mailsRefused$|^AuthOutcome\.AuthRequires2FA\.json \/contents$|^PushPending\.json \/(pending|wake\/(ntfy|gotify))$|^SocketMessage\.Pending\.json \/contents$|^PushAnswerRequest\.json \/number$|^PushSubscribeRequest\.json \/subscription$|^OwnAccount\.json .*\/factorFactorType$|^ErrorBody\.code\.json \/code$/
/** May be absent, but not null: a query has no null, and a flag is on, off or not there. */
const absentOnly = /^FeatureQuery\.json \/name$|^(UserListRequest|BoardRequest)\.json \/|^Features\.all\.json \/features\//
/** May be null, but must be there (§3: not optional). */
const nullOnly = /^Challenge\.Pending\.json \/challengeDateResponded$/

describe('hostile values', () => {
  it.each(hostile)('every decoder refuses %s', (_, value) => {
    expect([...shapes.keys()].filter(name => taken(name, value))).toEqual([])
  })

  it.each([['null', null] as const, ['undefined', undefined] as const])('every decoder refuses %s', (_, value) => {
    expect([...shapes.keys()].filter(name => taken(name, value))).toEqual([])
  })

  it.each(hostileObjects)('every decoder that reads a field refuses %s', (_, value) => {
    expect([...shapes.keys()].filter(name => taken(name, value))).toEqual(['Nothing'])
    expect(Reflect.has({}, 'polluted')).toBe(false)
  })

  it.each(hostile)('no place in a golden message takes %s', (_, value) => {
    expect(
      places(() => true)
        .filter(({ of, message, path }) => taken(of, replaced(message, path, value)))
        .map(({ place }) => place),
    ).toEqual([])
  })

  it('no place takes a list of what belongs there', () => {
    expect(
      places(() => true)
        .filter(({ of, message, path }) => taken(of, replaced(message, path, [lookUp(message, path)])))
        .map(({ place }) => place),
    ).toEqual([])
  })

  it('a number is no text and a text is no number', () => {
    const numbers = places(value => typeof value === 'number')
    expect(numbers.length).toBeGreaterThan(3)
    for (const { place, of, message, path } of numbers)
      expect(taken(of, replaced(message, path, String(lookUp(message, path)))), place).toBe(false)
    for (const { place, of, message, path } of places(value => typeof value === 'string'))
      expect(taken(of, replaced(message, path, 12345)), place).toBe(false)
  })
})

describe('what is missing', () => {
  const inObjects = places((_, path) => typeof path.at(-1) === 'string')

  it.each(inObjects)('$place', ({ place, of, message, path }) => {
    expect(taken(of, without(message, path))).toBe(optional.test(place) || absentOnly.test(place))
    expect(taken(of, replaced(message, path, null))).toBe(optional.test(place) || nullOnly.test(place))
  })
})

describe('what is too much', () => {
  const objects = places(
    (value, path) => typeof value === 'object' && value !== null && !Array.isArray(value) && path.at(-1) !== 'features',
  )

  it.each(objects)('a field nobody asked for in $place', ({ of, message, path }) => {
    const own = lookUp(message, path) as object
    for (const extra of [{ hostile: 'x' }, JSON.parse('{"__proto__":{"polluted":true}}') as object]) {
      const more = Object.defineProperties({ ...own }, Object.getOwnPropertyDescriptors(extra))
      const body = replaced(message, path, more)
      if (isStrict(of)) expect(taken(of, body)).toBe(false)
      else expect(thereAndBack(shapeOf(of), body)).toStrictEqual(message)
      expect(Reflect.has({}, 'polluted')).toBe(false)
    }
  })

  it.each(hostileTexts)('no text of a request may be %s', (_, text) => {
    const texts = places(value => typeof value === 'string').filter(({ of }) => isStrict(of))
    expect(texts.length).toBeGreaterThan(40)
    expect(texts.filter(({ of, message, path }) => taken(of, replaced(message, path, text))).map(({ place }) => place)).toEqual([])
  })
})
