import { accountRoutes, administrationRoutes, approverRoutes, passkeyRoutes, pushRoutes, type Route, routes } from '@gatehouse/wire'
import { fixtures } from './fixtures.ts'

/** What the mock sends: `raw` unchanged, otherwise the body as JSON. */
export type Response = {
  status: number
  body: unknown
  raw?: string
  headers: Record<string, string>
  /** Instead of a complete response: drops the connection immediately or in the middle of the body, or never responds. */
  breaks?: 'at once' | 'midway' | 'never'
}

/** A call of the wire format, and the responses to choose from, by name. */
export type Call = { name: string; route: Route; usual: string; outcomes: ReadonlyMap<string, Response> }

const sends = (body: unknown, status = 200, headers: Record<string, string> = {}): Response => ({ status, body, headers })
const breaks = (how: NonNullable<Response['breaks']>): Response => ({ ...sends({}), breaks: how })
const invalidCode = { tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } }

/** Failures that every call can have, by name. */
const failures: Record<string, Response> = {
  'bad-request': sends({ error: 'username: is missing' }, 400),
  'signed-out': sends({ error: 'session: sign in first' }, 401),
  'reauthentication-required': sends({ error: 'session: is too old', code: 'ReauthenticationRequired' }, 403),
  forbidden: sends({ error: 'origin: this request comes from another site', code: 'OtherSite' }, 403),
  'not-found': sends({ error: 'there is no such user' }, 404),
  'typed-error': sends({ 'typed-error': { tag: 'ApiError', contents: 'the provider is down' } }, 409),
  'too-many': sends({ error: 'Too many requests from this address. Try again later.', code: 'TooManyRequests' }, 429, {
    'retry-after': '5',
  }),
  fault: sends({ error: 'Something went wrong (request mock-1)', code: 'Fault', value: 'mock-1' }, 500),
  unavailable: sends({ error: 'Something went wrong (request mock-1)', code: 'Fault', value: 'mock-1' }, 503, { 'retry-after': '2' }),
  'unknown-tag': sends({ tag: 'Surprise', contents: [] }),
  'not-json': { ...sends({}, 200, { 'content-type': 'text/html' }), raw: '<!doctype html><title>A proxy</title>' },
  'empty-body': { ...sends({}), raw: '' },
  dropped: breaks('at once'),
  cut: breaks('midway'),
  unanswered: breaks('never'),
}

/** The messages of a shape, by the case in their file name: `AuthOutcome.AuthSuccessful.json`. */
const casesOf = (shape: string) =>
  new Map(
    [...fixtures].flatMap(([file, message]) => {
      const [of, ...rest] = file.split('.')
      return of === shape ? [[rest.join('.') || shape, message] as const] : []
    }),
  )

/** The responses of a call: each case of its response shape, then the failures. */
const outcomesOf = ({ response }: Route): Map<string, Response> => {
  const outcomes = new Map([...casesOf(response.name)].map(([name, message]) => [name, sends(message)]))
  if (response.name === 'AuthOutcome') {
    outcomes.set('AuthFailureFactorError', sends({ tag: 'AuthFailureFactorError', contents: invalidCode }))
    for (const [name, contents] of casesOf('VerifyError'))
      outcomes.set(`AuthFailureFactorError.${name}`, sends({ tag: 'AuthFailureFactorError', contents }))
  }
  for (const [name, response] of Object.entries(failures)) outcomes.set(name, response)
  return outcomes
}

/** The usual outcome of calls whose usual outcome is neither AuthSuccessful nor the first case. */
const usual: Record<string, string> = {
  resetOTP: 'AuthRequiresFactorReset',
  newFactor: 'AuthRequiresFactorCreation',
  featuresCheck: 'all',
  mailLinkLook: 'Good',
  magiclinkSend: 'Ok',
  pushChallenge: 'PushChallengeOpened',
}

const named = (tables: Record<string, Record<string, Route>>): Call[] =>
  Object.entries(tables).flatMap(([prefix, table]) =>
    Object.entries(table).map(([key, route]) => {
      const outcomes = outcomesOf(route)
      const [first = ''] = outcomes.keys()
      const name = prefix + key
      return { name, route, outcomes, usual: usual[name] ?? (outcomes.has('AuthSuccessful') ? 'AuthSuccessful' : first) }
    }),
  )

/** Every call, named after its route. The names of calls of the administration page and of phones have a prefix. */
export const calls: readonly Call[] = named({
  '': { ...routes, ...pushRoutes, ...passkeyRoutes, ...accountRoutes },
  'administration.': administrationRoutes,
  'approver.': approverRoutes,
})

/** A call by method and path. */
export const callAt = (method: string, path: string): Call | undefined =>
  calls.find(({ route }) => route.method === method && route.path === path)

/** A call by its name. */
export const callNamed = (name: string): Call | undefined => calls.find(call => call.name === name)
