import { hash } from '@node-rs/argon2'
import { randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import { networksOf } from '../visitors/network.ts'
import { createFairQueue } from './fair-queue.ts'
import { createPoolHasher, type Hasher } from './hash-threads.ts'
import type { Cost } from './hash-worker.ts'
import { decoySalt, type OldWork } from './old-hash.ts'

const { argon2id, queueWait, queuePerSlot, knownEvery, queueMemory, retryAfter } = limits.password

/** Thrown when a queue is full, or no turn to hash came in time. The server has computed nothing and counted nothing. */
export class Busy extends Error {
  readonly retryAfter = retryAfter
}

/** The caller that asks for a turn. */
export type Claim = {
  /** The client address. */
  address: string | undefined
  /**
   * Finds the account for which the server knows the caller, by a session, a mailed link, or the cookie of a browser that the user signed
   * in with. Undefined for strangers. The queue calls this function only while others wait, and for every username alike.
   */
  knownFor?: () => Promise<string | undefined>
}

/** The claim of a command-line command, or of the server during its start. */
export const thisMachine: Claim = { address: undefined }

/** A stored password. With `old`, the hash is of the digest that another program stored, and not of the password. */
export type StoredPassword = { hash: string; old?: { kind: string; salt: string } }

/** The right to hash, until it is disposed of. The next caller in the queue then gets it. */
export type Turn = Disposable & {
  hash: (password: string) => Promise<string>
  /**
   * Verifies a password. Without a stored hash, it verifies against a decoy and returns false. So unknown and locked accounts cost as much
   * as others, and an attempt on a locked account reveals nothing about its password.
   * @param kinds the kinds of old hashes that any account has. The server computes one digest of each kind for every account
   */
  verify: (password: string, stored: StoredPassword | undefined, kinds?: readonly string[]) => Promise<boolean>
  /** Whether a stored hash was made with weaker parameters than today's, and should be replaced. */
  isOutdated: (stored: string) => boolean
}

/**
 * Hashes with Argon2id on a fixed number of threads: each run takes 19 MiB and a core. A few more callers than threads have a turn, so that
 * no thread is idle while a caller queries the database. The others wait in a queue that is fair between networks and keeps a share of the
 * turns for known browsers. A caller whom the full queue drops, or who waits too long, gets `Busy`.
 * @param slots how many callers have a turn at once
 * @param longestWait in milliseconds
 * @param hasher computes the hashes; tests of something else pass a cheap one
 */
export const createPasswords = async (
  slots: number,
  longestWait: number = queueWait,
  hasher: Hasher = createPoolHasher(slots, argon2id),
) => {
  type Waiting = { flow: string; known: boolean; start: () => void; drop: () => void }
  const queue = createFairQueue<Waiting>({ places: hasher.threads * queuePerSlot, knownEvery, memory: queueMemory }, () =>
    performance.now(),
  )
  let running = 0
  let computed = 0
  let evaluated = 0

  const startNext = () => {
    const first = queue.next()
    if (first) first.start()
    else running--
  }

  /** Takes a free slot, unless others wait for it. */
  const takeFree = (of: { flow: string; known: boolean }): boolean => {
    if (running >= slots) return false
    running++
    queue.served(of)
    return true
  }

  /** Resolves when the caller has a slot. A slot that becomes free goes straight to the first in the queue. */
  const takeSlot = async ({ address, knownFor }: Claim): Promise<void> => {
    const { network, site } = networksOf(address)
    const stranger = { flow: site ?? network, known: false }
    if (takeFree(stranger)) return
    const account = await knownFor?.()
    const of = account === undefined ? stranger : { flow: account, known: true }
    if (takeFree(of)) return
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        ...of,
        start: () => {
          clearTimeout(timer)
          queue.served(waiting)
          resolve()
        },
        drop: () => {
          clearTimeout(timer)
          reject(new Busy('the queue for hashing is full'))
        },
      }
      const timer = setTimeout(() => {
        queue.remove(waiting)
        reject(new Busy('no turn to hash came in time'))
      }, longestWait)
      queue.add(waiting)?.drop()
    })
  }

  const waitingForHasher: (() => void)[] = []
  let hashing = 0
  /** Few callers have a turn, so they wait for a thread without a time limit. */
  const onThread = async <T>(run: () => Promise<T>): Promise<T> => {
    if (hashing < hasher.atOnce) hashing++
    else await new Promise<void>(resolve => waitingForHasher.push(resolve))
    try {
      computed++
      return await run()
    } finally {
      const first = waitingForHasher.shift()
      if (first) first()
      else hashing--
    }
  }

  const normal = (password: string) => password.normalize('NFC')
  const check = (password: string, stored: string, old: OldWork | undefined) => onThread(() => hasher.verify(normal(password), stored, old))
  // Do not use the hasher: an idle server must start no thread.
  const decoy = await onThread(() => hash(randomSecret(256), hasher.cost))

  const abilities: Omit<Turn, typeof Symbol.dispose> = {
    hash: password => onThread(() => hasher.hash(normal(password))),
    verify: async (password, stored, kinds = []) => {
      const old = oldWork(stored?.old, kinds)
      if (!stored) {
        await check(password, decoy, old)
        return false
      }
      evaluated++
      return check(password, stored.hash, old)
    },
    isOutdated: stored => isOutdated(stored, hasher.cost),
  }

  /** Waits for a turn. Declare it with `using`. @throws Busy */
  const takeTurn = async (claim: Claim): Promise<Turn> => {
    await takeSlot(claim)
    const slot = new DisposableStack()
    slot.defer(startNext)
    return { ...abilities, [Symbol.dispose]: () => slot.dispose() }
  }

  return {
    takeTurn,
    /** Runs `work` in a turn. @throws Busy */
    inTurn: async <T>(claim: Claim, work: (turn: Turn) => Promise<T>): Promise<T> => {
      using turn = await takeTurn(claim)
      return await work(turn)
    },
    /** Counts of Argon2id runs, of runs that compared a password with an account's hash, of callers with a turn, and of waiting callers. */
    figures: () => ({ computed, evaluated, running, waiting: queue.size() }),
  }
}
export type Passwords = Awaited<ReturnType<typeof createPasswords>>

/** One digest of each kind, always in the same order: of the account's own kind with its salt, of the others with a decoy's. */
const oldWork = (own: StoredPassword['old'], kinds: readonly string[]): OldWork | undefined => {
  const all = [...new Set(own ? [...kinds, own.kind] : kinds)].sort()
  if (all.length === 0) return undefined
  const digests = all.map(kind => [kind, kind === own?.kind ? own.salt : decoySalt(kind)] as const)
  return { digests, own: own && all.indexOf(own.kind) }
}

export const isOutdated = (stored: string, cost: Cost): boolean => {
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored) ?? []
  return !(Number(memory) >= cost.memoryCost && Number(passes) >= cost.timeCost && Number(lanes) >= cost.parallelism)
}
