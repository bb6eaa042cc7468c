/** How much of a limit a key, such as a network, has used since the window began. */
export type Bucket = {
  key: string
  used: number
  /** When the window ends and the bucket is dropped. */
  ends: number
}

/**
 * Counts the use of a limit by key, in fixed windows that begin with the first use. Holds at most `room` buckets. When all are taken, a new
 * key takes over the emptiest bucket and continues its count. Of equally empty buckets, it takes the least recently used one. So keys
 * without a bucket share the emptiest ones. This is the "space-saving" algorithm (Metwally et al., 2005). While no window ends, it never
 * counts less than a key has used. Attack: calls from many networks flush the count of one network.
 *
 * If a key has lost its bucket and then another window ends, the key gets a new, empty bucket. It can then use more than its limit, but
 * only while the buckets are full of other keys.
 */
export const createBuckets = ({ most, within, room }: { most: number; within: number; room: number }, now: () => number) => {
  const byKey = new Map<string, Bucket>()
  /** In the order in which their windows end. */
  const byEnd = new Set<Bucket>()
  /** Buckets by the number of uses, the least recently changed first. */
  const byUse = Array.from({ length: most + 1 }, () => new Set<Bucket>())

  const dropEnded = () => {
    for (const bucket of byEnd) {
      if (bucket.ends > now()) return
      byEnd.delete(bucket)
      byKey.delete(bucket.key)
      byUse[bucket.used]?.delete(bucket)
    }
  }

  const emptiest = (): Bucket | undefined => {
    for (const level of byUse) for (const bucket of level) return bucket
    return undefined
  }

  /** The bucket that counts a key, or that the key would share. Undefined if the key would get a new one. */
  const find = (key: string): Bucket | undefined => {
    dropEnded()
    return byKey.get(key) ?? (byKey.size < room ? undefined : emptiest())
  }

  const open = (key: string): Bucket => {
    const bucket = { key, used: 0, ends: now() + within }
    byEnd.add(bucket)
    byKey.set(key, bucket)
    return bucket
  }

  return {
    /** Milliseconds until a key may use these points; 0 if it may use them now. */
    wait: (key: string, points = 1): number => {
      const bucket = find(key)
      return !bucket || bucket.used + points <= most ? 0 : bucket.ends - now()
    },
    /** Counts points that {@link wait} allowed. */
    take: (key: string, points = 1): Bucket => {
      const bucket = find(key) ?? open(key)
      if (bucket.key !== key) {
        byKey.delete(bucket.key)
        byKey.set(key, bucket)
        bucket.key = key
      }
      byUse[bucket.used]?.delete(bucket)
      bucket.used = Math.min(bucket.used + points, most)
      byUse[bucket.used]?.add(bucket)
      return bucket
    },
    /** The bucket of a key, if it has one to itself. */
    get: (key: string): Bucket | undefined => {
      dropEnded()
      return byKey.get(key)
    },
    size: () => byKey.size,
  }
}
