import { hash } from '@node-rs/argon2'
import { createPoolHasher, type Hasher } from './hash-threads.ts'
import type { Cost } from './hash-worker.ts'
import { limits } from './limits.ts'
import { randomSecret } from './secrets.ts'

const { argon2id, queueWait, queuePerSlot, retryAfter } = limits.password

/** Thrown when no turn to hash came in time. Nothing was computed and nothing counted. */
export class Busy extends Error {
  readonly retryAfter = retryAfter
}

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
 * turn, so that no thread is idle while the database is asked. The rest wait for theirs, shortly; who finds the queue full, or waits
 * too long, gets `Busy`.
 * @param slots how many have a turn at once
 * @param longestWait in milliseconds
 * @param hasher computes the hashes; one that costs less than ours is for tests that are about something else
 */
export const createPasswords = async (
  slots: number,
  longestWait: number = queueWait,
  hasher: Hasher = createPoolHasher(slots, argon2id),
) => {
  const queue: { start: () => void }[] = []
  let running = 0
  let computed = 0
  let evaluated = 0

  const next = () => {
    const first = queue.shift()
    if (first) first.start()
    else running--
  }

  /** Resolves when a slot is ours; the slot of one who leaves goes straight to the first in the queue. */
  const takeSlot = () =>
    new Promise<void>((resolve, reject) => {
      if (running < slots) {
        running++
        return resolve()
      }
      if (queue.length >= hasher.threads * queuePerSlot) return reject(new Busy('the queue for hashing is full'))
      const waiting = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new Busy('no turn to hash came in time'))
      }, longestWait)
      queue.push(waiting)
    })

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
    inTurn: async <T>(work: (turn: Turn) => Promise<T>): Promise<T> => {
      await takeSlot()
      try {
        return await work(turn)
      } finally {
        next()
      }
    },
    /** How many Argon2id runs there were, how many of them judged a password that somebody has, how many are under way and how many wait. */
    figures: () => ({ computed, evaluated, running, waiting: queue.length }),
  }
}
export type Passwords = Awaited<ReturnType<typeof createPasswords>>

export const isOutdated = (stored: string, cost: Cost): boolean => {
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored) ?? []
  return !(Number(memory) >= cost.memoryCost && Number(passes) >= cost.timeCost && Number(lanes) >= cost.parallelism)
}
