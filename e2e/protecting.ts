import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { admin, createServerProcess, signInPage } from './gatehouse.ts'
import config from './playwright.config.ts'
import { startDashboard } from './protecting-dashboard.ts'
import { knowsStreamTimeout, type ProxyName, programs, startPrometheus, startProxy } from './protecting-programs.ts'
import { caddyRecipe, nginxRecipe, type Ports, prometheusArgs, prometheusSettings, settingsOf } from './protecting-recipes.ts'

/** A proxy with its recipe, and Gatehouse and dashboards behind it. */
type Site = Awaited<ReturnType<typeof openSite>>

type Plan = {
  proxy: ProxyName
  /** `names`: a host name for each application and for Gatehouse. `one`: all on one host name. */
  hosts: 'names' | 'one'
  /** Whether to start Prometheus, with its recipe or with other settings. */
  prometheus?: boolean | ((ports: Ports) => string)
  /** Changes to the proxy's configuration and to Gatehouse's settings, such as mistakes. */
  edit?: (recipe: string) => string
  settings?: (recipe: Record<string, string>, ports: Ports) => Record<string, string>
}

const files = {
  names: { nginx: 'nginx.conf', caddy: 'Caddyfile', env: 'gatehouse.env' },
  one: { nginx: 'nginx-one-host.conf', caddy: 'Caddyfile.one-host', env: 'one-host.env' },
}

/** Without Prometheus, the dashboard takes its place. */
const takePorts = async (prometheus: boolean): Promise<Ports> => {
  const [http, https, gatehouse, dashboard, free] = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()])
  return { http, https, gatehouse, dashboard, prometheus: prometheus ? free : dashboard }
}

const openSite = async ({ proxy, hosts, prometheus = false, edit = text => text, settings = recipe => recipe }: Plan) => {
  const ports = await takePorts(prometheus !== false)
  const settingsOfPrometheus = typeof prometheus === 'function' ? prometheus : prometheusSettings
  const names = files[hosts]
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-site-'))
  const gatehouse = createServerProcess({
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_LISTEN: `127.0.0.1:${ports.gatehouse}`,
    GATEHOUSE_ADMIN_PASSWORD: admin.password,
    ...settings(settingsOf(names.env, ports), ports),
  })
  const closing: (() => unknown)[] = [() => rm(dataDir, { recursive: true }), () => gatehouse.stop('SIGTERM')]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const dashboard = await startDashboard(ports.dashboard)
    closing.push(dashboard.stop)
    const recipe =
      proxy === 'nginx' ? nginxRecipe(names.nginx, ports) : caddyRecipe(names.caddy, ports, knowsStreamTimeout() ? '2.7' : '2.6')
    const keep = <T extends { stop: () => unknown }>(program: T) => {
      closing.push(program.stop)
      return program
    }
    const beginning = [
      startProxy(proxy, edit(recipe), ports, `https://${hosts === 'names' ? 'sign-in.' : ''}example.com:${ports.https}/`).then(keep),
      prometheus && startPrometheus(settingsOfPrometheus(ports), prometheusArgs(ports), `http://127.0.0.1:${ports.prometheus}`).then(keep),
      gatehouse.start(),
    ] as const
    // If one fails, wait for the others too, so that all of them can be stopped.
    await Promise.allSettled(beginning)
    const [front] = await Promise.all(beginning)
    /** Runs `doctor` for an address, or for everything. */
    const doctor = (address?: string) =>
      gatehouse.command(['doctor', ...(address === undefined ? [] : [address])], '', {
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'protecting-names.ts')}`,
        NODE_EXTRA_CA_CERTS: front.authority,
      })
    return {
      ports,
      gatehouse,
      dashboard,
      doctor,
      /** The file with the certificate that programs must trust to accept the proxy's certificate. */
      authority: front.authority,
      close,
      at: (host: string, path = '') => `https://${host}:${ports.https}${path}`,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A user with a browser that accepts our certificates, and an authenticator app. */
export const openUser = (context: BrowserContext, page: Page, app = createApp()) => {
  const signIn = (who = admin) => signInPage(page).signIn(who)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return {
    context,
    page,
    app,
    signIn,
    /** The first sign-in of a user who must have a second factor, including its set-up. */
    signInFirst: async (who = admin, atSetUp: () => Promise<unknown> = async () => {}) => {
      await signIn(who)
      const uri = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')
      app.secret = new URL(uri ?? '').searchParams.get('secret') ?? ''
      await atSetUp()
      await button('Next').click()
      await page.getByLabel('Verification Code').fill(await app.code())
      await button('Verify').click()
      await expect(page).toHaveURL(/\/recovery-codes(\?|$)/)
      await button('Show my recovery codes').click()
      await page.getByRole('link', { name: 'I’ve saved them' }).click()
    },
    signInAgain: async () => {
      await signIn()
      await page.getByLabel('Verification Code').fill(await app.nextCode())
      await button('Verify').click()
    },
    /** Waits until the sign-in page's script has sent the address's fragment, which browsers do not send to servers. */
    fragmentIsKept: () =>
      page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/return/fragment'))),
    /** Sends a request as a script of the dashboard does. */
    ask: (path: string) =>
      page.evaluate(async path => {
        const answer = await fetch(path)
        return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
      }, path),
    /** The Cookie header that the browser sends to an address. */
    cookies: async (address: string) => (await context.cookies(address)).map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}
type User = ReturnType<typeof openUser>

const createApp = () => {
  const app = {
    secret: '',
    code: async (later = 0) => (await TOTP.generate(app.secret, { timestamp: Date.now() + later })).otp,
    /** The code of the next period. The current one has been used, and the server accepts the next one early. */
    nextCode: () => app.code(30_000),
  }
  return app
}

export const test = base.extend<{ user: User; open: (plan: Plan) => Promise<Site> }, { front: ProxyName; site: Site }>({
  front: ['nginx', { option: true, scope: 'worker' }],
  /** One site for all tests of a worker. */
  site: [
    async ({ front }, use) => {
      const site = await openSite({ proxy: front, hosts: 'names', prometheus: true })
      await use(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  /** A further site for one test. */
  // Playwright requires the braces.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern
  open: async ({}, use) => {
    const sites: Site[] = []
    await use(async plan => {
      const site = await openSite(plan)
      sites.push(site)
      return site
    })
    for (const site of sites) await site.close()
  },
  ignoreHTTPSErrors: true,
  launchOptions: [
    {
      ...config.use?.launchOptions,
      args: [
        ...(config.use?.launchOptions?.args ?? []),
        '--host-resolver-rules=MAP example.com 127.0.0.1, MAP *.example.com 127.0.0.1, MAP *.example.org 127.0.0.1',
      ],
    },
    { scope: 'worker' },
  ],
  user: async ({ context, page }, use) => use(openUser(context, page)),
})

/** Skips a test with a reason if a program is missing. */
export const needs = (...names: (keyof typeof programs)[]) => {
  const lacking = names.filter(name => !programs[name])
  test.skip(lacking.length > 0, `${lacking.join(', ')}: not installed on this machine, and not downloaded`)
}

export { expect }
