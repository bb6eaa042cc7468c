import * as v from 'valibot'
import { AuthenticationRequest, AuthOutcome, LoginRequest, PlowLoginRequest } from './auth.ts'
import { type Shape, shape } from './decode.ts'

/** One call: where it is, what it takes and what it answers. Both sides decode with the same line. */
export type Route<Request = unknown, Response = unknown> = {
  method: 'GET' | 'POST'
  path: string
  request: Shape<Request>
  response: Shape<Response>
}

const route = <Request, Response>(
  method: Route['method'],
  path: string,
  request: Shape<Request>,
  response: Shape<Response>,
): Route<Request, Response> => ({ method, path, request, response })

const Empty = shape('Empty', v.strictObject({}))
/** An answer whose body says nothing. */
const Nothing = shape('Nothing', v.object({}))
const UserId = shape('UserId', v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters')))
/** Either every flag by its name, or the one that was asked for. */
const Features = shape('Features', v.union([v.object({ features: v.record(v.string(), v.boolean()) }), v.boolean()]))
const FeatureQuery = shape(
  'FeatureQuery',
  v.strictObject({ name: v.optional(v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'))) }),
)

/** Every JSON call (§7 and what our decisions add to it). */
export const routes = {
  getAuthTokenWithError: route('POST', '/auth/page/plow/getAuthTokenWithError', LoginRequest, AuthOutcome),
  plowlogin: route('POST', '/auth/page/plow/plowlogin', PlowLoginRequest, Nothing),
  loginWithToken: route('POST', '/auth/page/plow/loginWithToken', AuthenticationRequest, Nothing),
  logoutByUserId: route('POST', '/user/logout/by/user-id', UserId, shape('Boolean', v.boolean())),
  logoutBySelf: route('POST', '/user/logout/by/self', Empty, shape('String', v.string())),
  featuresCheck: route('GET', '/features/check', FeatureQuery, Features),
} as const

/** What a browser navigates to. */
export const pages = {
  /** Where the browser goes after a sign-in: the hand-over code's page. */
  token: (selector: string, token: string) => `/auth/page/plow/${encodeURIComponent(selector)}/${encodeURIComponent(token)}`,
  /** Where a single sign-on starts; `provider` is `google`, `azure` or `pak`. */
  ssoLogin: (provider: SsoProviderName) => `/auth/page/plow/ssoLogin?provider=${provider}`,
} as const

/** Names of the single-sign-on providers as they stand in addresses (§9). */
export type SsoProviderName = 'google' | 'azure' | 'pak'
