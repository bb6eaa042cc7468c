import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { getPriority, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { createHashThreads, createPoolHasher } from './hash-threads.ts'
import { oldDigest } from './old-digest.ts'
import { Busy, createPasswords, isOutdated, thisMachine } from './passwords.ts'

const never = new Promise<void>(() => {})

test('CC-02: limits parallel turns to the number of slots', async () => {
  const passwords = await createPasswords(3)
  let most = 0
  let now = 0
  const work = async () => {
    most = Math.max(most, ++now)
    await new Promise(resolve => setImmediate(resolve))
    now--
  }
  await Promise.all(Array.from({ length: 90 }, () => passwords.inTurn(thisMachine, work)))
  expect(most).toBe(3)
  expect(passwords.figures()).toMatchObject({ running: 0, waiting: 0 })
})

test('CC-02: never computes more hashes in parallel than the hasher has threads, even if more callers have a turn', async () => {
  const passwords = await createPasswords(5, 60_000, createPoolHasher(2, { memoryCost: 64, timeCost: 1, parallelism: 1 }))
  const { computed } = passwords.figures()
  let begun = 0
  let done = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 40 }, () =>
      passwords.inTurn(thisMachine, async turn => {
        begun++
        most = Math.max(most, begun - done)
        await turn.verify('correct horse battery', undefined)
        // A hash counts as soon as its computation starts.
        expect(passwords.figures().computed - computed - ++done).toBeLessThanOrEqual(2)
      }),
    ),
  )
  expect(most).toBe(5)
  expect(passwords.figures()).toMatchObject({ computed: computed + 40, running: 0, waiting: 0 })
})

test('CC-02: a full queue refuses the next caller at once, and waiting callers after the longest wait', async () => {
  const passwords = await createPasswords(1)
  void passwords.inTurn(thisMachine, () => never)
  const waiting = Array.from({ length: limits.password.queuePerSlot }, () =>
    passwords.inTurn(thisMachine, async () => 'worked').catch((error: unknown) => error),
  )
  await expect(passwords.inTurn(thisMachine, async () => 'worked')).rejects.toThrow(Busy)
  expect(passwords.figures()).toMatchObject({ running: 1, waiting: limits.password.queuePerSlot })
  // No turn becomes free, so each caller is refused when the wait is over.
  const answers = await Promise.all(waiting)
  expect(answers.every(answer => answer instanceof Busy)).toBe(true)
  expect(passwords.figures().waiting).toBe(0)
})

test('CC-04, TH-12: looks up a caller’s account only while others wait; a stranger with a forged cookie waits as a stranger', async () => {
  const passwords = await createPasswords(1)
  const order: string[] = []
  let asked = 0
  const come = (address: string, account?: string, work = async () => {}) =>
    passwords.inTurn(
      {
        address,
        knownFor: async () => {
          asked++
          return account
        },
      },
      async () => {
        order.push(account ?? address)
        await work()
      },
    )
  await come('203.0.113.9', 'ada')
  expect(asked).toBe(0)
  let release = () => {}
  const held = come('198.51.100.1', undefined, () => new Promise<void>(resolve => (release = resolve)))
  const floods = Array.from({ length: limits.password.queuePerSlot }, (_, i) => come(`198.18.0.${i}`))
  const strangers = [come('203.0.113.9'), come('203.0.113.9')].map(turn => expect(turn).rejects.toThrow(Busy))
  await Promise.all(strangers)
  const known = [come('203.0.113.9', 'ada'), come('203.0.113.9', 'ada'), come('203.0.113.9', 'grace')]
  await setTimeout(0)
  expect(passwords.figures()).toMatchObject({ running: 1, waiting: limits.password.queuePerSlot + 3 })
  release()
  await Promise.all([held, ...floods, ...known])
  // Ada's earlier turn counted for her network, because no other caller was waiting.
  expect(order.slice(2, 8).filter(name => !name.startsWith('198.'))).toEqual(['ada', 'grace', 'ada'])
  expect(asked).toBe(floods.length + 5)
})

test('a turn that throws releases its slot', async () => {
  const passwords = await createPasswords(1)
  await expect(passwords.inTurn(thisMachine, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await passwords.inTurn(thisMachine, async () => 'worked')).toBe('worked')
})

test('PW-08: hashes with Argon2id, 19 MiB, two passes and a salt of at least 16 bytes; equal passwords get different hashes', async () => {
  const passwords = await createPasswords(1)
  const [a, b] = await passwords.inTurn(thisMachine, async turn => [
    await turn.hash('correct horse battery'),
    await turn.hash('correct horse battery'),
  ])
  const [, , , parameters, salt = ''] = a?.split('$') ?? []
  expect(a).not.toBe(b)
  expect(a).toMatch(/^\$argon2id\$v=19\$/)
  expect(parameters).toBe('m=19456,t=2,p=1')
  expect(Buffer.from(salt, 'base64').length).toBeGreaterThanOrEqual(16)
})

test('without a stored hash, does the same work and returns false', async () => {
  const passwords = await createPasswords(1)
  const before = passwords.figures()
  expect(await passwords.inTurn(thisMachine, turn => turn.verify('correct horse battery', undefined))).toBe(false)
  expect(passwords.figures()).toEqual({ ...before, computed: before.computed + 1 })
})

test('TH-13: while hashes of other programs remain, every account costs one digest of each kind and one Argon2id run', async () => {
  const work: { stored: string; kinds: string[]; salts: string[] }[] = []
  const hasher = createPoolHasher(1, { memoryCost: 64, timeCost: 1, parallelism: 1 })
  const passwords = await createPasswords(1, undefined, {
    ...hasher,
    verify: (password, stored, old) => {
      work.push({ stored, kinds: old?.digests.map(([kind]) => kind) ?? [], salts: old?.digests.map(([, salt]) => salt) ?? [] })
      return hasher.verify(password, stored, old)
    },
  })
  const kinds = ['sha1', 'bcrypt 4', 'sha512-crypt 1000 8']
  await passwords.inTurn(thisMachine, async turn => {
    const bcrypt = { kind: 'bcrypt 4', salt: 'abcdefghijklmnopqrstuu' }
    const old = { hash: await turn.hash(oldDigest('correct horse battery', bcrypt.kind, bcrypt.salt)), old: bcrypt }
    const normal = { hash: await turn.hash('correct horse battery') }
    for (const password of ['correct horse battery', 'a wrong password']) {
      const isRight = password === 'correct horse battery'
      expect(await turn.verify(password, undefined, kinds)).toBe(false)
      expect(await turn.verify(password, normal, kinds)).toBe(isRight)
      expect(await turn.verify(password, old, kinds)).toBe(isRight)
    }
    // The digest itself is not accepted as the password.
    expect(await turn.verify(oldDigest('correct horse battery', bcrypt.kind, bcrypt.salt), old, kinds)).toBe(false)
    expect(work.map(({ kinds }) => kinds)).toEqual(work.map(() => kinds.toSorted()))
    const lengths = work.map(({ salts }) => salts.map(salt => salt.length))
    expect(lengths).toEqual(lengths.map(() => [22, 0, 8]))
    // Another server may have added a kind after this server read the kinds.
    expect(await turn.verify('correct horse battery', old, [])).toBe(true)
    expect(work.at(-1)?.kinds).toEqual(['bcrypt 4'])
    expect(await turn.verify('correct horse battery', normal)).toBe(true)
    expect(work.at(-1)?.kinds).toEqual([])
  })
})

/** Passwords on dedicated threads at the production cost, and a list of the started threads. */
const onThreads = async (threads: number) => {
  const started: Worker[] = []
  const keep = (thread: Worker) => void started.push(thread)
  process.on('worker', keep)
  const told: string[] = []
  const hasher = createHashThreads(threads, limits.password.argon2id, error => void told.push(error.message))
  onTestFinished(async () => {
    process.off('worker', keep)
    await hasher.close()
  })
  const verified: string[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const passwords = await createPasswords(12 * threads, 60_000, {
    ...hasher,
    verify: (password, stored, old) => {
      verified.push(stored)
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      return hasher.verify(password, stored, old).finally(() => atOnce--)
    },
  })
  const verify = (password: string, stored: string | null) =>
    passwords.inTurn(thisMachine, turn => turn.verify(password, stored === null ? undefined : { hash: stored }))
  return {
    passwords,
    started,
    told,
    verified,
    mostAtOnce: () => mostAtOnce,
    verify,
    hash: (password: string) => passwords.inTurn(thisMachine, turn => turn.hash(password)),
  }
}

test('CC-02: starts threads on demand up to the limit, gives each at most two batches of four hashes, and also hashes for unknown usernames', async () => {
  const { passwords, started, verified, mostAtOnce, verify, hash } = await onThreads(2)
  expect(started).toHaveLength(0)
  const stored = await hash('cafe\u0301 with an accent')
  const { computed } = passwords.figures()
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, n) => verify(n % 2 ? 'caf\u00e9 with an accent' : 'cafe without one', n % 4 === 3 ? null : stored)),
  )
  expect(answers).toEqual(answers.map((_, n) => n % 4 === 1))
  expect(started).toHaveLength(2)
  expect(mostAtOnce()).toBe(16)
  expect(passwords.figures()).toEqual({ computed: computed + 48, evaluated: 36, running: 0, waiting: 0 })
  const [decoy = ''] = verified.filter(hash => hash !== stored)
  expect(verified.filter(hash => hash === decoy)).toHaveLength(12)
  expect(isOutdated(decoy, limits.password.argon2id)).toBe(false)
})

test('returns four hashes at a time while more wait, and a single one at once', async () => {
  const { verify, hash } = await onThreads(1)
  const stored = await hash('correct horse battery')
  let turn = 0
  const turns: number[] = []
  const note = async () => {
    await verify('correct horse battery', stored)
    turns.push(turn)
    // Runs between the messages of two batches, even if a busy event loop gets both at once.
    process.nextTick(() => turn++)
  }
  await Promise.all(Array.from({ length: 18 }, note))
  const together = [...Map.groupBy(turns, at => at).values()].map(({ length }) => length)
  expect(together[0]).toBe(1)
  expect(Math.max(...together)).toBe(4)
  expect(together.length).toBeLessThan(9)
})

test('an unreadable stored hash fails its own caller, not others in the same batch', async () => {
  const { verify, hash } = await onThreads(1)
  const stored = await hash('correct horse battery')
  const answers = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => verify('correct horse battery', n === 3 ? 'no hash' : stored)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n === 3 ? 'rejected' : 'fulfilled')))
})

test.runIf(platform() === 'linux')('hash threads have the lowest priority', async () => {
  const { hash } = await onThreads(2)
  await Promise.all([hash('first password'), hash('second password')])
  const priorities = readdirSync('/proc/self/task').map(thread => getPriority(Number(thread)) - getPriority())
  expect(priorities.filter(priority => priority !== 0)).toEqual([limits.password.threadNiceness, limits.password.threadNiceness])
})

test('hashes do not wait for Node’s thread pool, which file operations may fill', async () => {
  const { verify, hash } = await onThreads(1)
  const stored = await hash('correct horse battery')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-passwords-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Each of these waits for a writer.
  const reads = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () => open(pipe))
  const answer = await Promise.race([verify('correct horse battery', stored), setTimeout(5000, 'nothing')])
  const writer = openSync(pipe, 'r+')
  for (const read of await Promise.all(reads)) await read.close()
  closeSync(writer)
  rmSync(folder, { recursive: true })
  expect(answer).toBe(true)
})

test('a dying thread fails its jobs and those waiting for it to start; the next job starts another thread', async () => {
  const { passwords, started, told, verify, hash } = await onThreads(1)
  const reason = (tried: Promise<unknown>) =>
    tried.then(
      () => 'worked',
      (error: Error) => error.message,
    )
  process.once('worker', thread => setImmediate(() => thread.emit('error', new Error('no memory for a thread'))))
  const early = [reason(hash('first password')), reason(hash('second password'))]
  expect(await Promise.all(early)).toEqual(['Terminating worker thread', 'Terminating worker thread'])
  expect(told).toEqual(['no memory for a thread'])

  const stored = await hash('correct horse battery')
  const inHand = [reason(verify('correct horse battery', stored)), reason(verify('correct horse battery', null))]
  await started[1]?.terminate()
  expect(await Promise.all(inHand)).toEqual(['worker exited with code: 1', 'worker exited with code: 1'])
  expect(await verify('correct horse battery', stored)).toBe(true)
  expect(started).toHaveLength(3)
  expect(passwords.figures()).toMatchObject({ running: 0, waiting: 0 })
})

test('threads compute digests of other programs', async () => {
  const { passwords, hash } = await onThreads(1)
  const old = { kind: 'bcrypt 4', salt: 'abcdefghijklmnopqrstuu' }
  const stored = { hash: await hash(oldDigest('correct horse battery', old.kind, old.salt)), old }
  const verify = (password: string) => passwords.inTurn(thisMachine, turn => turn.verify(password, stored, ['sha1']))
  expect([await verify('correct horse battery'), await verify('a wrong password')]).toEqual([true, false])
})

test('an idle thread ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { started, hash } = await onThreads(1)
  await hash('correct horse battery')
  const [thread] = started
  if (!thread) throw new Error('no thread was started')
  const ended = once(thread, 'exit')
  for (let n = 0; n < 3; n++) {
    vi.advanceTimersByTime(limits.password.threadIdle - 1)
    await hash('correct horse battery')
  }
  expect(started).toHaveLength(1)
  vi.advanceTimersByTime(limits.password.threadIdle)
  await ended
  await hash('correct horse battery')
  expect(started).toHaveLength(2)
})

test.each([
  ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', false],
  ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', false],
  ['$argon2id$v=19$m=19455,t=2,p=1$c2FsdA$aGFzaA', true],
  ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA', true],
  ['$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', true],
])('%s is outdated: %s', (stored, outdated) => expect(isOutdated(stored, limits.password.argon2id)).toBe(outdated))
