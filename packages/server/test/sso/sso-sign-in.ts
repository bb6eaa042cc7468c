import { accountRoutes } from '@gatehouse/wire'
import { expect, onTestFinished } from 'vitest'
import { ada, type Browser, isSignedIn, startServer } from '../support/harness.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'

export type Server = Awaited<ReturnType<typeof startServer>>
type Name = 'google' | 'azure' | 'pak'
export type Options = Parameters<typeof startServer>[0] & { as?: ('GOOGLE' | 'AZURE' | 'PAK')[] }
export const grace = { username: 'grace@example.com', password: 'another horse battery' }
export const adaAtProvider = { sub: 'ada-at-provider', email: ada.username, email_verified: true, name: 'Ada' }
export const page = { accept: 'text/html' }

const startProvider = async () => {
  const idp = await startIdentityProvider()
  onTestFinished(idp.stop)
  idp.users.set(adaAtProvider.sub, adaAtProvider)
  return idp
}

export const startWithProvider = async ({ as = ['GOOGLE'], env, ...options }: Options = {}) => {
  const idp = await startProvider()
  const server = await startServer({ ...options, env: { ...Object.assign({}, ...as.map(idp.env)), ...env } })
  return { idp, server }
}

export const startAtProvider = (browser: Browser, name: Name = 'google') => browser.get(`/auth/page/plow/ssoLogin?provider=${name}`, page)
export const returnFromProvider = (browser: Browser, url: URL) => browser.get(url.pathname + url.search, page)

/** Goes to the provider and returns as a user. */
export const signInAtProvider = async (
  browser: Browser,
  idp: Pick<IdentityProvider, 'visit'>,
  user: string = adaAtProvider.sub,
  name: Name = 'google',
) => {
  const out = await startAtProvider(browser, name)
  if (out.statusCode !== 303) return out
  return returnFromProvider(browser, await idp.visit(out.headers.location, user))
}

/** Whether the answer is an error page with a 4xx status and no session. */
export const isRefusal = async (answer: Awaited<ReturnType<Browser['get']>>, browser: Browser) => {
  const isPage = /^text\/html/.test(String(answer.headers['content-type'])) && answer.body.includes('<h1')
  return isPage && answer.statusCode >= 400 && answer.statusCode < 500 && !(await isSignedIn(browser))
}

/** Follows the callback and the token page. */
export const finishSignIn = async (browser: Browser, answer: Awaited<ReturnType<Browser['get']>>) => {
  expect([answer.statusCode, answer.headers.location]).toEqual([303, expect.stringMatching(/^\/auth\/page\/plow\/[\w-]+\/[\w-]+$/)])
  const landed = await browser.get(String(answer.headers.location), page)
  expect(landed.statusCode).toBe(303)
  expect(await isSignedIn(browser)).toBe(true)
}

export const linkIdentity = async (
  browser: Browser,
  idp: IdentityProvider,
  user: string = adaAtProvider.sub,
  password = ada.password,
  name: Name = 'google',
) => {
  const provider = ({ google: 'Google', azure: 'Azure', pak: 'Pak' } as const)[name]
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider, password })
  return returnFromProvider(browser, await idp.visit(location, user))
}

/** Ada has signed in with the password and linked the provider. */
export const startLinked = async (options: Options = {}) => {
  const { idp, server } = await startWithProvider(options)
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const linked = await linkIdentity(browser, idp)
  expect([linked.statusCode, linked.headers.location]).toEqual([303, '/account'])
  return { idp, server, userId, browser }
}

export const audited = async ({ db }: Server, event = 'sso') =>
  (await db
    .selectFrom('audit')
    .select(['auditResult', 'auditActor', 'auditTarget'])
    .where('auditEvent', '=', event)
    .orderBy('auditAt')
    .execute()) as {
    auditResult: string
    auditActor: string | null
    auditTarget: string | null
  }[]

export const results = async (server: Server, event = 'sso') => (await audited(server, event)).map(row => row.auditResult)

export const userOf = (server: Server, ident: string) =>
  server.db.selectFrom('users').selectAll().where('userIdent', '=', ident).executeTakeFirst()
