import { accountRoutes } from '@gatehouse/wire'
import { vi } from 'vitest'
import type { Deps } from '../../src/cli/deps.ts'
import { addPass } from '../../src/cli/passes.ts'
import { ada, admin, type Browser } from '../support/harness.ts'
import { check } from './asked.ts'
import { startWithRules } from './rules-server.ts'

export const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
export const prometheus = 'https://prometheus.example.com'

const rulesText = `
groups:
  oncall: [grace@example.com]
rules:
  - { to: ${prometheus}/admin/*, allow: [administrators, pass] }
  - { to: ${prometheus}/admin, allow: [administrators, pass] }
  - { to: ${prometheus}/secret/*, allow: [users, pass], require: second-factor }
  - { to: ${prometheus}/metrics, allow: pass }
  - { to: ${prometheus}/*, allow: [users, pass] }
  - { to: https://alerts.example.com/*, allow: ['group:oncall', pass] }
  - { to: https://status.example.com/*, allow: everyone }
  - { to: https://closed.example.com/*, deny: true }
  - { to: https://grafana.example.com/*, allow: users }
`
type Server = Awaited<ReturnType<typeof start>>

const startWithoutUsers = async (more: Record<string, string>) =>
  (await startWithRules(rulesText, { GATEHOUSE_ADMINS: admin.username, GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1', ...more })).server
export const start = async (more: Record<string, string> = {}) => {
  const server = await startWithoutUsers(more)
  for (const user of [ada, admin, grace]) await server.addUser(user)
  return server
}
/** Another server on the same database. */
export const startAnother = ({ config }: Server) => {
  const database = config.databaseUrl.startsWith('postgres') ? { GATEHOUSE_DATABASE_URL: config.databaseUrl } : {}
  return startWithoutUsers({ GATEHOUSE_DATA_DIR: config.dataDir, ...database })
}
export const enter = async (server: Server, user: typeof ada) => {
  const browser = server.openBrowser()
  await browser.enter(user)
  return browser
}

export type Asked = Partial<{ name: string; to: string[]; methods: string[]; from: string[]; days: number }>
const all = ['prometheus', 'alerts', 'status', 'closed', 'grafana'].map(name => `https://${name}.example.com/*`)
export const admitting = all.slice(0, 2)
const request = (asked: Asked) => ({ name: 'Backup', to: admitting, methods: [], from: [], days: 30, ...asked })
export const create = async (browser: Browser, asked: Asked = {}) => (await browser.call(accountRoutes.userPassAdd, request(asked))).pass
export const tryToCreate = async (browser: Browser, asked: Asked = {}) => {
  const { statusCode, body } = await browser.send('POST', accountRoutes.userPassAdd.path, request(asked))
  return [statusCode, body] as const
}
export const idOf = async (browser: Browser) => (await browser.call(accountRoutes.userPasses, {})).passes[0]?.passId ?? ''

export const basic = (pass: string, user = '') => `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`
export const show = (server: Server, pass: string, address: string, headers: Record<string, string> = {}, path?: string) =>
  check(server.openBrowser(), address, { authorization: `Bearer ${pass}`, ...headers }, path)
export const statusOf = async (server: Server, pass: string, address = `${prometheus}/api/v1/query`, headers = {}) =>
  (await show(server, pass, address, headers)).status

export const cli = ({ config, db, clock }: Server, args: string[], options: Record<string, string> = {}) => {
  const lines: string[] = []
  const data = vi.fn()
  const deps = { args, options: new Map(Object.entries(options)), write: (line: string) => void lines.push(line), data }
  return { deps: { ...deps, config, database: { db, clock: { now: () => clock.at } } } as unknown as Deps, lines, data }
}
export const addServicePass = async (server: Server, options: Record<string, string>) => {
  const { deps, lines } = cli(server, ['prometheus'], options)
  await addPass(deps)
  return lines[0] ?? ''
}
