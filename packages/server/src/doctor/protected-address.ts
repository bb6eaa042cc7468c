import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Tables } from '../db/schema.ts'
import { nothingKept } from '../forward-auth/forward-auth.ts'
import * as returnAddresses from '../forward-auth/return-addresses.store.ts'
import { describeEffect } from '../forward-auth/rules/describe.ts'
import type { RuleSet } from '../forward-auth/rules/rule-set.ts'
import { cookieName, cookieOfChecks } from '../http/cookie-names.ts'
import {
  explain,
  isMisconfigurationUrl,
  isOfCheck,
  type Misconfiguration,
  misconfigurationOf,
  type SetUp,
  setUpOf,
} from '../http/misconfiguration.ts'
import { seconds } from '../limits.ts'
import { pages } from '../texts/en-pages.ts'
import { type Answer, ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('protection')

/**
 * The requests of a browser without a session. They carry a worthless cookie, which shows whether the proxy forwards cookies, and forged
 * identity headers, which must not give access.
 */
const asBrowser = (config: Config, origin: string) => {
  const cookie = `${cookieName(cookieOfChecks(origin, config), config)}=doctor.doctor`
  const forged = {
    'remote-user': 'forged',
    'remote-email': 'forged',
    'remote-groups': 'administrators',
    'x-webauth-user': 'forged',
    'gatehouse-assertion': 'forged',
  }
  return {
    navigation: { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', cookie, ...forged },
    call: { accept: 'application/json', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', cookie, ...forged },
  }
}

type Place = { address: URL; config: Config; setUp: SetUp; rules: RuleSet; db: Kysely<Tables> | undefined; now: () => number }

/**
 * Checks an address behind a proxy, as a browser without a session requests it: who responds, and whether the proxy asks Gatehouse
 * correctly.
 */
export const examineProtectedAddress = async (
  text: string,
  config: Config,
  rules: RuleSet,
  db: Kysely<Tables> | undefined,
  now: () => number,
): Promise<Finding[]> => {
  const address = URL.parse(text)
  if (!address || !/^https?:$/.test(address.protocol) || address.username)
    return [problem(`‘${text}’ is not a valid address. Give one behind the proxy, for example https://grafana.example.com/d/abc?x=1`)]
  address.hash = ''
  const place = { address, config, setUp: setUpOf(config), rules, db, now }
  const { navigation, call } = asBrowser(config, address.origin)
  try {
    const since = now() - seconds(1)
    const opened = await open(place, navigation)
    const isAsked = await wasAsked(opened, since)
    const called = await ask(opened.address.href, call)
    return [listed(place), ...(await examinePage(opened, isAsked)), ...examineCall(called, isAsked)]
  } catch (error) {
    return [listed(place), problem(`${address.href} cannot be reached from here: ${reasonOf(error)}.`)]
  }
}

/** The result of opening an address: where redirects within its origin lead, and the response there. */
type Opened = Place & { page: Answer; to: URL | undefined }

/** Opens an address and follows redirects within its origin. The dashboard itself may redirect, and so may the proxy before it asks Gatehouse. */
const open = async (place: Place, headers: Record<string, string>): Promise<Opened> => {
  let { address } = place
  for (let hops = 0; ; hops++) {
    const page = await ask(address.href, headers)
    const { location } = page.headers
    const to = location === undefined ? undefined : (URL.parse(location, address.href) ?? undefined)
    const isWithin = page.status >= 300 && page.status < 400 && to?.origin === address.origin && !isRedirectOfCheck(to, place.setUp)
    if (!isWithin || hops === 5) return { ...place, address, page, to }
    address = to
    address.hash = ''
  }
}

/** Whether a check redirects to this address. */
const isRedirectOfCheck = (to: URL, { publicUrl }: SetUp): boolean =>
  to.href.startsWith(`${publicUrl}/?return=`) || to.searchParams.has('return') || isMisconfigurationUrl(to)

/** Whether the proxy asked Gatehouse before it responded. `undefined` if that is unknown. */
const wasAsked = async ({ address, page, to, setUp, db }: Opened, since: number): Promise<boolean | undefined> => {
  if (isOurRefusal(page) || (to && isRedirectOfCheck(to, setUp))) return true
  return db && returnAddresses.wasStoredSince(db, address.href, since)
}

/** Whether a check refused the request, by its own response or by that of our proxy recipes. */
const isOurRefusal = ({ headers, body }: Answer): boolean => {
  const [, named = ''] = /^\{"error":"([a-z-]+)[:"]/.exec(body) ?? []
  return headers['gatehouse-trouble'] !== undefined || isReported(named) || /^(session|address|x-forwarded-(proto|host|uri))$/.test(named)
}

const explained = (name: Misconfiguration, setUp: SetUp, seen: string): Finding => {
  const { cause, advice } = explain(name, setUp, seen)
  return problem(`${name}: ${cause} ${advice}`)
}

const listed = ({ address: { origin, pathname, search }, rules, setUp }: Place): Finding => {
  if (!rules.isProtected(origin)) {
    const name = misconfigurationOf(origin, setUp, rules.origins, false)
    return explained(name === 'forwarded-headers' ? 'not-protected' : name, setUp, origin)
  }
  const found = rules.find({ origin, uri: pathname + search, method: 'GET', address: '' })
  switch (found.is) {
    case 'Rule':
      return ok(`${origin} is listed: ${describeEffect(found.rule.effect)} (rule ${found.rule.number}).`)
    case 'NoRule':
      return warning(`No rule fits ${pathname}, so no one can open it.`)
    case 'Unclear':
      return warning(`The address cannot be opened: ${found.why}.`)
  }
}

/** Judges the response to a navigation. */
const examinePage = async (opened: Opened, isAsked: boolean | undefined): Promise<Finding[]> => {
  const { address, setUp, page, to } = opened
  const named = misconfigurationIn(page.headers['gatehouse-trouble'], to)
  if (named) return [explained(named, setUp, to?.searchParams.get('seen') ?? address.href)]
  const returnId = to?.searchParams.get('return')
  if (!to?.href.startsWith(`${setUp.publicUrl}/?return=`) || !returnId || returnId === nothingKept) return [notRedirected(opened, isAsked)]
  return [...(await examineReturn(opened, returnId)), ...(await examineSignIn(opened))]
}

/** The response does not redirect to sign-in with a return address. */
const notRedirected = ({ address, setUp, page: { status, body }, to }: Opened, isAsked: boolean | undefined): Finding => {
  if (status >= 200 && status < 300)
    return problem(
      `no-check: ${address.pathname} is answered with ${status} without a sign-in. Configure the proxy to ask Gatehouse before it forwards a request to the dashboard.`,
    )
  if (status === 404 && body.includes(pages.nothingHere.title))
    return problem(
      `check-not-found: the proxy asks Gatehouse at an address that does not exist. The check is at ${setUp.publicUrl}/auth/forward or /auth/request. Forward that path whole, or without the path of the public URL.`,
    )
  if (status >= 500)
    return problem(
      `no-answer: a page is answered with ${status}. Check that the proxy uses the right port and path of Gatehouse. Until it does, users cannot open the page.`,
    )
  if (to?.href === `${setUp.publicUrl}/?return=${nothingKept}`)
    return warning(
      'A page redirects to sign-in, but sign-in cannot lead back to it: the address cannot be stored, or too many were stored recently. Users land on the dashboard instead.',
    )
  if (to?.searchParams.has('return'))
    return problem(
      `another-gatehouse: a page redirects to ${to.origin}${to.pathname} instead of ${setUp.publicUrl}/. Set GATEHOUSE_PUBLIC_URL to the same address here and on the server that the proxy asks.`,
    )
  if (to?.hostname === address.hostname && to.protocol === 'https:' && address.protocol === 'http:')
    return warning(`http redirects to https, as it should. Check ${to.href} instead.`)
  const isWithin = status < 400 && to?.origin === address.origin
  if (isAsked === false || (isAsked === undefined && isWithin))
    return problem(
      `no-check: ${address.pathname} is answered with ${status}${to ? ` and redirects to ${to.origin}${to.pathname}` : ''}, but Gatehouse was not asked. The answer may come from the dashboard. Configure the proxy to ask Gatehouse before it forwards a request to the dashboard.`,
    )
  if (status === 401)
    return problem(
      'sign-in-not-passed-on: a page is answered with 401 and does not redirect. Configure the proxy to redirect to the Location that the check returns (nginx: error_page 401).',
    )
  return problem(
    `not-ours: a page is answered with ${status}${to ? ` and redirects to ${to.origin}` : ''}. That answer does not come from Gatehouse.`,
  )
}

/** The response redirects to sign-in: checks where sign-in would return to, and which headers the check received. */
const examineReturn = async ({ address, setUp, db, now }: Place, returnId: string): Promise<Finding[]> => {
  if (!db) return [warning('A page redirects to sign-in. Without the database the doctor cannot check where sign-in would lead back to.')]
  const kept = await returnAddresses.findReturn(db, returnId, now())
  if (!kept)
    return [
      problem(
        'another-gatehouse: a page redirects to sign-in, but its address is in another database. Configure the proxy to ask this Gatehouse.',
      ),
    ]
  const back = new URL(kept.returnTarget)
  const isSame = back.href === address.href
  const isCut = back.origin === address.origin && back.search === address.search && address.pathname.endsWith(back.pathname)
  return [
    isSame
      ? ok('A page redirects to sign-in, and from there back to the same address.')
      : explained(isCut ? 'prefix-stripped' : 'forwarded-headers', setUp, kept.returnTarget),
    kept.returnHadCookie === 1 ? ok('The check receives the browser’s cookies.') : explained('cookie-not-passed-on', setUp, address.origin),
  ]
}

/** Checks that visitors without a session can open the sign-in page. */
const examineSignIn = async ({ config, setUp }: Place): Promise<Finding[]> => {
  const address = `${setUp.publicUrl}/`
  try {
    const { status, headers } = await ask(address, asBrowser(config, config.publicUrl.origin).navigation)
    return status === 200 && headers['gatehouse-trouble'] === undefined ? [] : [explained('sign-in-guarded', setUp, address)]
  } catch (error) {
    return [warning(`The sign-in page ${address} cannot be reached from here: ${reasonOf(error)}.`)]
  }
}

/**
 * Judges the response to a script's request. If the proxy did not ask Gatehouse, a refusal may come from the dashboard and proves
 * nothing.
 */
const examineCall = (answer: Answer, isAsked: boolean | undefined): Finding[] => {
  const isRefused = answer.status < 200 || answer.status >= 300
  return isRefused && isAsked === false && !isOurRefusal(answer) ? [] : [callFinding(answer)]
}

const callFinding = ({ status, headers }: Answer): Finding => {
  if (status >= 200 && status < 300)
    return problem(`no-check: a script’s request is answered with ${status} without a sign-in, even with forged identity headers.`)
  if (status >= 300 && status < 400)
    return problem(
      `call-redirected: a script’s request is redirected to ${headers.location ?? 'another address'}, where it cannot continue. It must be answered with 401: forward Sec-Fetch-Mode and Accept to the check.`,
    )
  return status === 401
    ? ok('A script’s request is answered with 401, and forged identity headers give no access.')
    : warning(`A script’s request is answered with ${status} instead of 401.`)
}

const isReported = (name: unknown): name is Misconfiguration => isOfCheck(name) || name === 'sign-in-guarded'

/** The misconfiguration that the check found. A header or the address of a redirect names it. */
const misconfigurationIn = (header: string | string[] | undefined, to: URL | undefined): Misconfiguration | undefined => {
  const cause = to && isMisconfigurationUrl(to) ? to.searchParams.get('cause') : header
  return isReported(cause) ? cause : undefined
}
