import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../packages/server/src/metrics.ts'
import { declared } from '../packages/server/test/http/declared-routes.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, 'observability', file), 'utf8')

type Rule = { alert: string; expr: string; labels: Record<string, string>; annotations: Record<string, string> }
const rules: Rule[] = parse(read('alerts.yml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)

type Panel = { id: number; type: string; title: string; description?: string; targets?: { expr: string; datasource: { uid: string } }[] }
const dashboard: { panels: Panel[]; templating: { list: { name: string; definition?: string }[] } } = JSON.parse(read('dashboard.json'))
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const lists = dashboard.templating.list.flatMap(({ definition }) => definition ?? [])

const metrics = createMetrics({
  version: '1.0.0',
  mailWaiting: async () => 0,
  hashing: () => ({ running: 0, waiting: 0 }),
  rulesLoaded: () => true,
})
/** Each metric of the server, with its type. */
const families = new Map([...(await metrics.render()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
const own = [...families].filter(([name]) => name.startsWith('gatehouse_'))

const table = [...read('README.md').matchAll(/^\| `(gatehouse_\w+)` \| (\w+) \| ([^|]+) \| [^|]+ \|$/gm)].map(
  ([, name = '', type = '', labels = '']) => ({ name, type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label) }),
)

test('the table of metrics lists every metric of the server with its type and labels', () => {
  expect(table.map(({ name, type }) => [name, type]).toSorted()).toEqual(own.toSorted())
  const source = readFileSync(join(import.meta.dirname, '../packages/server/src/metrics.ts'), 'utf8')
  for (const { name, labels } of table) {
    const [, declared = ''] = source.split(`name: '${name}'`)
    const [, list = ''] = /^[^}]*?labelNames: \[([^\]]*)\]/.exec(declared.split(/new (Gauge|Counter|Histogram)\(/)[0] ?? '') ?? []
    expect([name, [...list.matchAll(/'(\w+)'/g)].map(([, label]) => label)]).toEqual([name, labels])
  }
})

test('metric names follow the conventions of Prometheus', () => {
  for (const [name, type] of families) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    expect(name).toMatch(/^(gatehouse|process|nodejs)_[a-z0-9_]+$/)
    // Base units: seconds and bytes, and neither the type nor a label in the name.
    expect(name).not.toMatch(/milli|_ms\b|minutes|_(kilo|mega)?bits?\b|_(gauge|counter|histogram)\b|_by_/)
    expect([name, type === 'histogram' && !/_(seconds|bytes)$/.test(name)]).toEqual([name, false])
  }
})

/** The metrics and labels of a PromQL expression. */
const readExpression = (expr: string) => {
  const bare = expr.replace(/"[^"]*"/g, '""')
  const used = [...bare.matchAll(/\b((?:gatehouse|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)]
  return used.map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)[=!]~?""/g)].map(([, label = '']) => label),
  }))
}

test.each([...rules.map(({ expr }) => expr), ...queries, ...lists])('%s uses metrics and labels that exist', expr => {
  const used = readExpression(expr)
  expect(used.length).toBeGreaterThan(0)
  for (const { name, labels } of used) {
    const family = families.has(name) || name === 'up' ? name : name.replace(/_(bucket|sum|count)$/, '')
    expect([name, family === 'up' || families.has(family)]).toEqual([name, true])
    const known = [...(table.find(one => one.name === family)?.labels ?? []), 'job', 'instance']
    expect([name, labels.filter(label => !known.includes(label))]).toEqual([name, []])
  }
})

test('every alert has a text, a severity that the page explains, an entry in the runbook, and a test', () => {
  const headings = [...read('runbook.md').matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(rules.map(({ alert }) => alert))
  const severities = [...read('README.md').matchAll(/^\| `(critical|warning|info)` \|/gm)].map(([, severity]) => severity)
  const tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] = parse(read('alerts.test.yml')).tests
  for (const { alert, labels, annotations } of rules) {
    expect([alert, severities.includes(labels.severity ?? '')]).toEqual([alert, true])
    expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook_url'])
    expect(annotations.runbook_url).toBe(`docs/observability/runbook.md#${alert.toLowerCase()}`)
    const cases = tests.flatMap(one => one.alert_rule_test.filter(({ alertname }) => alertname === alert))
    expect([alert, cases.map(({ exp_alerts }) => exp_alerts.length)]).toEqual([alert, [0, 1]])
  }
})

test.each(['observability/alerts', 'observability/alerts.test', 'protecting/open-door-alerts', 'protecting/open-door-alerts.test'])(
  'every runbook_url in %s.yml is the path of a heading in this repository',
  name => {
    const urls = [...read(`../${name}.yml`).matchAll(/runbook_url: '?([^'\n]*)/g)].map(([, url = '']) => url)
    expect(urls.length).toBeGreaterThan(3)
    for (const url of urls) {
      const [, file = '', anchor = ''] = /^docs\/([\w/-]+\.md)#([\w-]+)$/.exec(url) ?? []
      const headings = [...read(`../${file}`).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'))
      expect([url, headings.includes(anchor)]).toEqual([url, true])
    }
  },
)

test('every panel of the dashboard has a title, a description and the chosen data source, and the panels show every metric', () => {
  const shown = dashboard.panels.filter(({ type }) => type !== 'row')
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  for (const { title, description, targets = [] } of shown) {
    expect([title, (description ?? '').length > 0, targets.length > 0]).toEqual([title, true, true])
    for (const { datasource } of targets) expect(datasource.uid).toMatch(/^\$\{datasource\}$/)
  }
  const drawn = queries.join('\n')
  expect(own.map(([name]) => name).filter(name => !drawn.includes(name))).toEqual([])
})

test('alert and dashboard queries about checks match every forward-auth route and no other', () => {
  const patterns = [...rules.map(({ expr }) => expr), ...queries].flatMap(expr => [...expr.matchAll(/route[!=]~"([^"]*)"/g)])
  expect(patterns.length).toBeGreaterThan(5)
  // Prometheus anchors regular expressions at both ends.
  for (const [, pattern] of patterns)
    for (const [route, [, rule]] of Object.entries(declared))
      expect([pattern, route, new RegExp(`^(?:${pattern})$`).test(`/gate${route}`)]).toEqual([pattern, route, rule === 'check'])
})
