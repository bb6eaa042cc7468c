import { hash, verify } from '@node-rs/argon2'
import { limits } from './limits.ts'
import { randomSecret } from './secrets.ts'

const { argon2id, queueWait, queuePerSlot, retryAfter } = limits.password

/** Parameters of Argon2id: memory in KiB, passes, lanes. */
type Cost = { memoryCost: number; timeCost: number; parallelism: number }

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
 * Argon2id, never more runs at once than there are cores for: each takes 19 MiB and one of them. A few more callers than that have a
 * turn, so that no core is idle while the database is asked. The rest wait for theirs, shortly; who finds the queue full, or waits
 * too long, gets `Busy`.
 * @param slots how many have a turn at once
 * @param longestWait in milliseconds
 * @param cores how many hashes are computed at once
 * @param cost of a hash; less than ours is for tests that are about something else
 */
export const createPasswords = async (slots: number, longestWait: number = queueWait, cost: Cost = argon2id, cores = slots) => {
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
      if (queue.length >= cores * queuePerSlot) return reject(new Busy('the queue for hashing is full'))
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

  const waitingForCore: (() => void)[] = []
  let hashing = 0
  /** Those in a turn wait for a core as long as it takes: they are few. */
  const onCore = async <T>(run: () => Promise<T>): Promise<T> => {
    if (hashing < cores) hashing++
    else await new Promise<void>(resolve => waitingForCore.push(resolve))
    try {
      computed++
      return await run()
    } finally {
      const first = waitingForCore.shift()
      if (first) first()
      else hashing--
    }
  }

  const normal = (password: string) => password.normalize('NFC')
  const compute = (password: string) => onCore(() => hash(normal(password), cost))
  const check = (password: string, stored: string) => onCore(() => verify(stored, normal(password)))
  const decoy = await compute(randomSecret(256))

  const turn: Turn = {
    hash: compute,
    verify: async (password, stored) => {
      if (stored == null) {
        await check(password, decoy)
        return false
      }
      evaluated++
      return check(password, stored)
    },
    isOutdated: stored => isOutdated(stored, cost),
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
