// What a thread of hash-threads.ts does: nothing but this, one job after the other.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'
import { limits } from './limits.ts'

/** Parameters of Argon2id: memory in KiB, passes, lanes. */
export type Cost = { memoryCost: number; timeCost: number; parallelism: number }

export const hash = ({ password, cost }: { password: string; cost: Cost }): string => hashSync(password, cost)

export const verify = ({ password, stored }: { password: string; stored: string }): boolean => verifySync(stored, password)

/** A thread has a niceness of its own on Linux alone, where this names it (proc(5)). */
const comeAfterOthers = () => {
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1)
    setPriority(Number(thread), limits.password.threadNiceness)
  } catch {
    // It hashes as well without.
  }
}
comeAfterOthers()
