import { hash } from '@node-rs/argon2'
import { randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import { networksOf } from '../visitors/network.ts'
import { createFairQueue } from './fair-queue.ts'
import { createPoolHasher, type Hasher } from './hash-threads.ts'
import type { Cost } from './hash-worker.ts'

const { argon2id, queueWait, queuePerSlot, knownEvery, queueMemory, retryAfter } = limits.password

/** Thrown when no turn to hash came in time. Nothing was computed and nothing counted. */
export class Busy extends Error {
  readonly retryAfter = retryAfter
}

/** For whom a turn is taken. */
export type Claim = {
  /** The address that calls. */
  address: string | undefined
  /**
   * Tells for which account the caller is known: by the cookie of a browser that its user signed in with, by a session or by a mailed link.
   * Undefined for a stranger. Called only while others wait, for every name alike.
   */
  knownFor?: () => Promise<string | undefined>
}

/** A command, or the start of a server. */
export const thisMachine: Claim = { address: undefined }

/** What can be done in a turn. To have one in hand is the only way to hash. */
export type Turn = {
  hash: (password: string) => Promise<string>
  /**
   * Verifies a password. Without a stored hash it does the same work against a decoy and says no, so that who is unknown or
   * locked out costs what others cost, and nothing is learned of the password.
   */
  verify: (password: string, stored: string | null | undefined) => Promise<boolean>
  /** Whether a stored hash was made with weaker parameters than today's and should be made anew. */
  isOutdated: (stored: string) => boolean
}

/**
 * Argon2id, never more runs at once than there are threads for: each takes 19 MiB and a core. A few more callers than that have a
 * turn, so that no thread is idle while the database is asked. The rest wait for theirs, shortly. The queue is fair between networks and
 * keeps a share of the turns for known browsers; a caller without a place in it, or who waits too long, gets `Busy`.
 * @param slots how many have a turn at once
 * @param longestWait in milliseconds
 * @param hasher computes the hashes; one that costs less than ours is for tests that are about something else
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

  const next = () => {
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

  /** Resolves when a slot is ours; the slot of one who leaves goes straight to the first in the queue. */
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
  /** Those in a turn wait for a thread as long as it takes: they are few. */
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
  const check = (password: string, stored: string) => onThread(() => hasher.verify(normal(password), stored))
  // Not by the hasher: a server that nobody signs in at needs no thread.
  const decoy = await onThread(() => hash(randomSecret(256), hasher.cost))

  const turn: Turn = {
    hash: password => onThread(() => hasher.hash(normal(password))),
    verify: async (password, stored) => {
      if (stored == null) {
        await check(password, decoy)
        return false
      }
      evaluated++
      return check(password, stored)
    },
    isOutdated: stored => isOutdated(stored, hasher.cost),
  }

  return {
    /** Runs `work` in a turn. Throws `Busy` when none comes. */
    inTurn: async <T>(claim: Claim, work: (turn: Turn) => Promise<T>): Promise<T> => {
      await takeSlot(claim)
      try {
        return await work(turn)
      } finally {
        next()
      }
    },
    /** How many Argon2id runs there were, how many of them judged a password that somebody has, how many are under way and how many wait. */
    figures: () => ({ computed, evaluated, running, waiting: queue.size() }),
  }
}
export type Passwords = Awaited<ReturnType<typeof createPasswords>>

export const isOutdated = (stored: string, cost: Cost): boolean => {
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored) ?? []
  return !(Number(memory) >= cost.memoryCost && Number(passes) >= cost.timeCost && Number(lanes) >= cost.parallelism)
}
