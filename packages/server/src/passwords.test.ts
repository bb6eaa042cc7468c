import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { passwordProblem } from './password-rules.ts'
import { Busy, createPasswords, isOutdated } from './passwords.ts'

const never = new Promise<void>(() => {})

test('CC-02: no more callers have a turn at once than there are slots', async () => {
  const passwords = await createPasswords(3)
  let most = 0
  let now = 0
  const work = async () => {
    most = Math.max(most, ++now)
    await new Promise(resolve => setImmediate(resolve))
    now--
  }
  await Promise.all(Array.from({ length: 90 }, () => passwords.inTurn(work)))
  expect(most).toBe(3)
  expect(passwords.figures()).toMatchObject({ running: 0, waiting: 0 })
})

test('CC-02: more may have a turn than hash; of hashes there are never more at once than cores', async () => {
  const passwords = await createPasswords(5, 60_000, { memoryCost: 64, timeCost: 1, parallelism: 1 }, 2)
  const { computed } = passwords.figures()
  let begun = 0
  let done = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 40 }, () =>
      passwords.inTurn(async turn => {
        begun++
        most = Math.max(most, begun - done)
        await turn.verify('correct horse battery', null)
        // Each that begins to be computed counts at once.
        expect(passwords.figures().computed - computed - ++done).toBeLessThanOrEqual(2)
      }),
    ),
  )
  expect(most).toBe(5)
  expect(passwords.figures()).toMatchObject({ computed: computed + 40, running: 0, waiting: 0 })
})

test('CC-02: a full queue sends the next caller away at once, without work', async () => {
  const passwords = await createPasswords(1)
  void passwords.inTurn(() => never)
  const waiting = Array.from({ length: limits.password.queuePerSlot }, () =>
    passwords.inTurn(async () => 'worked').catch((error: unknown) => error),
  )
  await expect(passwords.inTurn(async () => 'worked')).rejects.toThrow(Busy)
  expect(passwords.figures()).toMatchObject({ running: 1, waiting: limits.password.queuePerSlot })
  // Nobody's turn comes, so each of them is sent away when the wait is over.
  const answers = await Promise.all(waiting)
  expect(answers.every(answer => answer instanceof Busy)).toBe(true)
  expect(passwords.figures().waiting).toBe(0)
})

test('a turn that throws gives its slot back', async () => {
  const passwords = await createPasswords(1)
  await expect(passwords.inTurn(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await passwords.inTurn(async () => 'worked')).toBe('worked')
})

test('PW-08: Argon2id with at least 19 MiB, two passes and a salt of 16 bytes; never the same hash twice', async () => {
  const passwords = await createPasswords(1)
  const [a, b] = await passwords.inTurn(async turn => [await turn.hash('correct horse battery'), await turn.hash('correct horse battery')])
  const [, , , parameters, salt = ''] = a?.split('$') ?? []
  expect(a).not.toBe(b)
  expect(a).toMatch(/^\$argon2id\$v=19\$/)
  expect(parameters).toBe('m=19456,t=2,p=1')
  expect(Buffer.from(salt, 'base64').length).toBeGreaterThanOrEqual(16)
})

test('without a stored hash the work is done all the same, and the answer is no', async () => {
  const passwords = await createPasswords(1)
  const before = passwords.figures()
  expect(await passwords.inTurn(turn => turn.verify('correct horse battery', null))).toBe(false)
  expect(passwords.figures()).toEqual({ ...before, computed: before.computed + 1 })
})

test.each([
  ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', false],
  ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', false],
  ['$argon2id$v=19$m=19455,t=2,p=1$c2FsdA$aGFzaA', true],
  ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA', true],
  ['$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', true],
])('%s is outdated: %s', (stored, outdated) => expect(isOutdated(stored, limits.password.argon2id)).toBe(outdated))

const ident = 'ada.lovelace@analytical.example'
test.each([
  ['PW-01: 14 code points', 'fourteen chars', 'at least 15 characters; this one has 14'],
  ['PW-01: 15 code points', 'fifteen chars ok', undefined],
  ['PW-02: 14 locks', '🔒'.repeat(14), 'at least 15'],
  ['PW-02: 15 locks', '🔓🔒'.repeat(8), undefined],
  ['PW-03: 1024 bytes', 'ab'.repeat(512), undefined],
  ['PW-03: 1025 bytes', `${'ab'.repeat(512)}c`, 'at most 1024 bytes'],
  ['PW-04: lower case words', 'just some plain words', undefined],
  ['PW-05: on the list', '1qaz2wsx3edc4rfv', 'too common'],
  ['PW-05: on the list in capitals', '1QAZ2WSX3EDC4RFV', 'too common'],
  ['PW-05: on the list and more', '1qaz2wsx3edc4rfvx1', undefined],
  ['PW-06: the name', 'ada.lovelace@analytical.example', 'too easy to guess'],
  ['PW-06: the name twice', 'AdaLovelaceAdaLovelace', 'too easy to guess'],
  ['PW-06: the domain repeated', 'analyticalanalytical', 'too easy to guess'],
  ['PW-06: the product repeated', 'gatehousegatehouse', 'too easy to guess'],
])('%s', async (_, password, problem) => {
  expect(await passwordProblem(password, ident, 15)).toEqual(problem === undefined ? undefined : expect.stringContaining(problem))
})
