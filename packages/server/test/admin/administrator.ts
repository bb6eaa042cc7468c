import { ada, admin, startServer } from '../support/harness.ts'

export const grace = { username: 'grace@example.com', password: 'a third long password' }

/** A server with Ada and an administrator who has just signed in. */
export const start = async (env: Record<string, string> = {}) => {
  const server = await startServer({ env })
  const adminId = await server.addUser(admin)
  const adaId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter(admin)
  const refusal = async (route: { path: string }, body: unknown, by = browser) => {
    const { statusCode, body: text } = await by.send('POST', route.path, body)
    const { error, code } = JSON.parse(text)
    return code === undefined ? [statusCode, error] : [statusCode, error, code]
  }
  return { ...server, adminId, adaId, browser, refusal }
}
export type Started = Awaited<ReturnType<typeof start>>

export const audited = async ({ db }: Started, event: string) =>
  (await db.selectFrom('audit').selectAll().where('auditEvent', '=', event).orderBy('auditAt').execute()).map(row => [
    row.auditResult,
    row.auditActor,
    row.auditTarget,
  ])

export const fillFailures = async (server: Started, times: number) => {
  for (let i = 0; i < times; i++) await server.openBrowser().signIn({ ...ada, password: 'a wrong long password' })
}
