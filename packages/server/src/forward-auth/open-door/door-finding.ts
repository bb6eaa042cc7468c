import { type DoorState, doorStates } from '@gatehouse/wire'
import { limits } from '../../limits.ts'
import type { ProbeAnswer } from './probe-request.ts'

/** What one request shows. */
export type DoorFinding = {
  state: DoorState
  path: string
  /** Null if no answer arrived. */
  status: number | null
  /** The origin that the answer redirects to, or why no answer arrived. An attacker may choose it. */
  detail: string | null
}

/** A request to a protected origin. */
export type Probed = { origin: string; path: string; secret: string }

/**
 * Judges the answer to a request without a session. The door counts as closed only if a Gatehouse
 * check refused this very request: a refusal can also come from the application, a cache, another sign-in
 * system or a fixed page.
 * @param publicUrl without a slash at its end
 * @returns undefined if the answer shows nothing
 */
export const judgeProbe = (
  answer: ProbeAnswer,
  { origin, path, secret }: Probed,
  { publicUrl, now }: { publicUrl: string; now: number },
): DoorFinding | undefined => {
  if (answer.is === 'Failed') return { state: answer.state, path, status: null, detail: answer.reason }
  const { status, location } = answer
  const to = location === undefined ? undefined : (URL.parse(location, origin + path) ?? undefined)
  const finding = (state: DoorState): DoorFinding => ({ state, path, status, detail: to?.origin ?? null })
  const isRedirect = status >= 300 && status < 400 && location !== undefined
  const isRefusal = status === 401 || status === 403
  const isProved = location === `${publicUrl}/?return=${secret}` || answer.proof === secret
  if ((isRedirect || isRefusal) && isProved) return finding(endsSoon(answer.certificate, now) ? 'CertificateEnds' : 'Closed')
  if (isRefusal) return finding('CheckSkipped')
  if (isRedirect) return redirectFinding({ origin, path, to, publicUrl }, finding)
  return finding(saysNothing(status) ? 'Unreachable' : 'Open')
}

const redirectFinding = (
  { origin, path, to, publicUrl }: { origin: string; path: string; to: URL | undefined; publicUrl: string },
  finding: (state: DoorState) => DoorFinding,
): DoorFinding | undefined => {
  if (to === undefined) return finding('Open')
  if (to.origin === origin && to.pathname + to.search === path) return finding('RedirectLoop')
  if (to.href.startsWith(`${publicUrl}/`)) return finding('CheckSkipped')
  if (to.origin !== origin) return finding('RedirectElsewhere')
  // Many proxies redirect / themselves, for example to /grafana/. Another path shows whether they ask Gatehouse.
  return path === '/' ? undefined : finding('CheckSkipped')
}

/** Statuses of a proxy that cannot reach the application or Gatehouse, or rejects the request. */
const saysNothing = (status: number) => status >= 500 || [400, 407, 408, 421, 429, 431].includes(status)

/**
 * Judges the answer of the sign-in page, which must not be behind a check: checks redirect to it.
 */
export const judgeSignInPage = (
  answer: ProbeAnswer,
  { path, secret }: Probed,
  { publicUrl, now }: { publicUrl: string; now: number },
): DoorFinding => {
  if (answer.is === 'Failed') return { state: answer.state, path, status: null, detail: answer.reason }
  const { status, location = '', trouble } = answer
  const finding = (state: DoorState): DoorFinding => ({ state, path, status, detail: null })
  const isLedBack = status >= 300 && status < 400 && URL.parse(location, `${publicUrl}/`)?.href.startsWith(`${publicUrl}/`) === true
  if (trouble || answer.proof === secret || isLedBack) return finding('RedirectLoop')
  if (saysNothing(status)) return finding('Unreachable')
  return finding(endsSoon(answer.certificate, now) ? 'CertificateEnds' : 'Closed')
}

/** Whether a certificate expires soon: within two weeks, or within the last fifth of its lifetime if that is shorter. */
const endsSoon = (certificate: { from: number; until: number } | undefined, now: number): boolean => {
  if (!certificate) return false
  const { certificate: most, certificateShareMost } = limits.openDoor
  const { from, until } = certificate
  return until - now < Math.min(most, (until - from) / certificateShareMost)
}

/** How bad a state is; 0 is the worst. */
export const rankOf = (state: DoorState): number => doorStates.indexOf(state)

/** The worse of two findings; the first if both are equally bad. */
export const worseOf = (first: DoorFinding, second: DoorFinding): DoorFinding =>
  rankOf(second.state) < rankOf(first.state) ? second : first
