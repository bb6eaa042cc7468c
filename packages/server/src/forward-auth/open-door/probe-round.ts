import type { Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { type DoorFinding, judgeProbe, judgeSignInPage, worseOf } from './door-finding.ts'
import { probePathsOf } from './probe-paths.ts'
import { requestProbe } from './probe-request.ts'
import { createProbe } from './probe-token.ts'

export type ProbeDeps = {
  keyring: Keyring
  /** Gatehouse's public address, without a trailing slash. */
  publicUrl: string
  /** Whether an address is a page of Gatehouse, which has no check. */
  isOwnPage: (address: string) => boolean
  now: () => number
}

/** `all`, or a list of origins. */
export type ProbedOrigins = 'all' | readonly string[]

type Target = { origin: string; path: string; isSignInPage: boolean }

/** What to request: a few paths of each origin, and the sign-in page, to which checks redirect. */
export const targetsOf = ({ rules, origins }: RuleSet, chosen: ProbedOrigins, { publicUrl, isOwnPage }: ProbeDeps): Target[] => {
  const signInPage = new URL(`${publicUrl}/`)
  const ofRules = origins
    .filter(origin => chosen === 'all' || chosen.includes(origin))
    .flatMap(origin => probePathsOf(rules, origin, isOwnPage).map(path => ({ origin, path, isSignInPage: false })))
  if (ofRules.length === 0) return []
  return [{ origin: signInPage.origin, path: signInPage.pathname, isSignInPage: true }, ...ofRules]
}

/**
 * Makes one or two requests for each target.
 * @returns the worst finding of each origin. If several are equally bad, the one of the earliest
 * target in the list
 */
export const probeAll = async (targets: readonly Target[], deps: ProbeDeps): Promise<Map<string, DoorFinding>> => {
  const queue = [...targets.slice(0, limits.openDoor.addressesMost).entries()]
  const found: (DoorFinding | undefined)[] = queue.map(() => undefined)
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) found[next[0]] = await probe(next[1], deps)
  }
  await Promise.all(Array.from({ length: limits.openDoor.parallelMost }, work))
  const worst = new Map<string, DoorFinding>()
  for (const [index, { origin }] of targets.entries()) {
    const [finding, known] = [found[index], worst.get(origin)]
    if (finding) worst.set(origin, known ? worseOf(known, finding) : finding)
  }
  return worst
}

const probe = async (target: Target, deps: ProbeDeps): Promise<DoorFinding | undefined> => {
  const first = await probeOnce(target, deps)
  if (first?.state !== 'Closed' && first?.state !== 'CertificateEnds') return first
  // A cache that stores refusals would store the first one, which is genuine. The second request detects the cache.
  const second = await probeOnce(target, deps)
  return second && worseOf(first, second)
}

const probeOnce = async ({ origin, path, isSignInPage }: Target, deps: ProbeDeps): Promise<DoorFinding | undefined> => {
  const { publicUrl } = deps
  const { secret, token } = createProbe({ origin, uri: path }, deps)
  const answer = await requestProbe(origin + path, { token, publicUrl })
  const judge = isSignInPage ? judgeSignInPage : judgeProbe
  return judge(answer, { origin, path, secret }, { publicUrl, now: deps.now() })
}
