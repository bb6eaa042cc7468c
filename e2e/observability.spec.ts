import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { admin, createServerProcess } from './gatehouse.ts'
import { expect, needs, openUser, test } from './protecting.ts'
import { programs, startPrometheus } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'

// An operator copies the files of docs/observability. They run as they are, except for ports and intervals.
const folder = join(import.meta.dirname, '../docs/observability')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

type Rule = { name: string; query: string; health: string; lastError?: string }
type Dashboard = { panels: { title: string; targets?: { expr: string }[] }[]; templating: { list: { definition?: string }[] } }

/** The parts of an alert's expression without thresholds, because a healthy server does not reach them. */
const partsOf = (expr: string) => expr.split(/\s+unless\s+/).map(part => part.replace(/\s+(==|>) [\d.]+$/, ''))

test.describe('@long', () => {
  test('promtool accepts the alerts and the settings, and each alert fires in its own test only', () => {
    needs('promtool')
    const promtool = (...args: string[]) => execFileSync(programs.promtool, args, { cwd: folder, encoding: 'utf8' })
    expect(promtool('check', 'rules', '--lint-fatal', 'alerts.yml')).toContain('SUCCESS')
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
    for (const command of ['check', 'test'])
      expect(promtool(command, 'rules', `../protecting/open-door-alerts${command === 'test' ? '.test' : ''}.yml`)).toContain('SUCCESS')
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS')
  })

  test('every expression of the dashboard and of the alerts has data in a real Prometheus', async ({ context, page }) => {
    needs('prometheus')
    test.setTimeout(120_000)
    const [port, own, prometheusPort] = [await freePort(), await freePort(), await freePort()]
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-observed-'))
    const url = `http://localhost:${port}`
    const gatehouse = createServerProcess({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_PUBLIC_URL: url,
      GATEHOUSE_METRICS_LISTEN: `127.0.0.1:${own}`,
      GATEHOUSE_ADMIN_PASSWORD: admin.password,
      GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000',
    })
    const settings = change(read('prometheus.yml'), ['127.0.0.1:9464', `127.0.0.1:${own}`], ['interval: 15s', 'interval: 1s'])
    const address = `http://127.0.0.1:${prometheusPort}`
    const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true }), () => gatehouse.stop('SIGTERM')]
    try {
      await gatehouse.start()
      const rules = { 'gatehouse-alerts.yml': read('alerts.yml') }
      const prometheus = await startPrometheus(settings, [`--web.listen-address=127.0.0.1:${prometheusPort}`], address, rules)
      closing.push(prometheus.stop)
      const ask = async <T>(path: string): Promise<T> => (await (await fetch(`${address}/api/v1/${path}`)).json()).data
      const resultsOf = (expr: string) =>
        ask<{ result: { value: [number, string] }[] }>(`query?query=${encodeURIComponent(expr)}`).then(({ result }) => result)

      await test.step('users sign in, applications are checked, and a request fails', async () => {
        const user = openUser(context, page)
        await page.goto(url)
        await user.signInFirst()
        const forwarded = {
          'x-forwarded-proto': 'http',
          'x-forwarded-host': 'localhost:3000',
          'x-forwarded-uri': '/',
          'x-forwarded-method': 'GET',
        }
        const act = async () => {
          await fetch(`${url}/auth/forward`, { headers: forwarded })
          const database = new DatabaseSync(join(dataDir, 'gatehouse.sqlite'))
          database.exec('alter table users rename to gone')
          expect((await fetch(`${url}/readyz`)).status).toBe(503)
          database.exec('alter table gone rename to users')
          database.close()
          await fetch(url)
        }
        // Rates need two samples.
        await act()
        await expect.poll(async () => (await resultsOf('gatehouse_sign_ins_total')).length, { timeout: 20_000 }).toBeGreaterThan(0)
        await act()
        await page.waitForTimeout(2500)
      })

      await test.step('the dashboard has data', async () => {
        const { panels, templating }: Dashboard = JSON.parse(read('dashboard.json'))
        const lists = templating.list.flatMap(({ definition }) => definition ?? [])
        const chosen = (expr: string) =>
          expr.replaceAll('$job', 'gatehouse').replaceAll('$instance', '.+').replaceAll('$__rate_interval', '1m')
        expect(lists).toHaveLength(2)
        for (const list of lists) {
          const [, series = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(chosen(list)) ?? []
          expect(await ask<string[]>(`label/${label}/values?match[]=${encodeURIComponent(series)}`)).toHaveLength(1)
        }
        const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, chosen(expr)] as const))
        expect(queries.length).toBeGreaterThan(30)
        for (const [title, expr] of queries) expect([title, expr, (await resultsOf(expr)).length > 0]).toEqual([title, expr, true])
      })

      await test.step('Prometheus evaluates the alerts, and each part of them has data', async () => {
        const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules')
        const alerts = groups.flatMap(({ rules }) => rules)
        expect(alerts).toHaveLength(read('alerts.yml').match(/- alert:/g)?.length ?? 0)
        for (const { name, query, health, lastError = '' } of alerts) {
          expect([name, health, lastError]).toEqual([name, 'ok', ''])
          for (const part of partsOf(query)) expect([name, part, (await resultsOf(part)).length > 0]).toEqual([name, part, true])
        }
      })

      await test.step('each line of the log has only fields and messages that the page on the log explains', async () => {
        const explained = read('logs.md')
        const lines = gatehouse
          .log()
          .trim()
          .split('\n')
          .map(line => JSON.parse(line))
        expect(lines.length).toBeGreaterThan(5)
        for (const line of lines) {
          for (const field of Object.keys(line)) expect([field, explained.includes(`\n| \`${field}\` |`)]).toEqual([field, true])
          expect([line.msg, explained.includes(`| \`${line.msg}\` |`)]).toEqual([line.msg, true])
        }
      })
    } finally {
      for (const step of closing.reverse()) await step()
    }
  })
})
