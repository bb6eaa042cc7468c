import type { Generated } from 'kysely'
import type { UsedFactor } from './used-factor.ts'

/** The tables of protected applications, a part of `Tables`. */
export type GateTables = {
  return_addresses: {
    returnId: string
    /** An address of a protected origin, with path and query. */
    returnTarget: string
    /** With the '#'. Null until the sign-in page sends it, because browsers omit fragments from requests. */
    returnFragment: string | null
    /** 1 if the refused request had a session or check cookie with any value. */
    returnHadCookie: 0 | 1
    returnCreated: number
    returnExpires: number
  }
  /** Secrets with which programs reach protected applications. */
  passes: {
    passSelector: string
    passHash: string
    passName: string
    /** The owner: a user or a service. */
    passUser: string | null
    passService: string | null
    /** A `PassScope` as JSON. */
    passScope: string
    /** The second factor of the session in which the user created the pass; null without one, and for passes of services. */
    passFactor: UsedFactor | null
    passCreated: number
    /** A user id, or `cli`. */
    passCreatedBy: string
    passExpires: number
    /** Null until the first use. */
    passUsed: number | null
    passUsedFrom: string | null
    /** 1 once the server has notified the owner that the pass ends soon. */
    passWarned: Generated<0 | 1>
  }
  /** What the open-door alarm knows of each origin. */
  doors: {
    doorOrigin: string
    /** A `DoorCourse` as JSON. */
    doorCourse: string
  }
  /** One row: when the next round of requests is due. The server that starts a round moves this time, as its lease. */
  door_rounds: {
    doorRoundId: 1
    doorRoundNext: number
    /** When the last round ended. */
    doorRoundEnded: number | null
  }
  /** The keys that sign users' identities for protected applications. */
  signing_keys: {
    /** 1 for the first; each rotation adds the next. */
    signingKeyNumber: number
    /** The `kid` of its assertions. */
    signingKeyId: string
    /** A JSON Web Key. */
    signingKeyPublic: string
    /** Encrypted with the master key. */
    signingKeyPrivate: string
    signingKeyCreated: number
    /** When servers begin to sign with it. */
    signingKeyActive: number
  }
}
