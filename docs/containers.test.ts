import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../packages/server/src/config/config.ts'
import { variableSections } from '../packages/server/src/config/variable-sections.ts'
import { limits } from '../packages/server/src/limits.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const known: string[] = variableSections.flatMap(({ variables }) => variables.map(({ name }) => name))

test.each([
  'Containerfile',
  ...['compose.yaml', 'caddy/compose.yaml', 'caddy/gatehouse.env', 'several/compose.yaml', 'several/gatehouse.env'].map(
    file => `docs/containers/${file}`,
  ),
])('%s names only variables that exist', file => {
  const named = [...read(file).matchAll(/GATEHOUSE_[A-Z_]*[A-Z]/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(name => !known.includes(name))).toEqual([])
})

test('the image runs as a user without privileges, on the Node version that the package needs, and reports its health', () => {
  const image = read('Containerfile')
  expect(image).toMatch(/^ARG NODE_IMAGE=docker\.io\/library\/node:24-slim$/m)
  const last = image.slice(image.lastIndexOf('FROM '))
  expect(last).toMatch(/^USER 1000:1000$/m)
  expect(last).toMatch(/^HEALTHCHECK .*\n.*\/healthz/m)
  expect(last).toMatch(/^VOLUME \/data$/m)
  expect(last).not.toMatch(/^RUN /m)
})

type Service = {
  image: string
  ports?: string[]
  env_file?: string
  environment?: Record<string, string>
  volumes?: string[]
  networks?: unknown
  stop_grace_period?: string
}
type Compose = { services: Record<string, Service>; volumes: object; networks?: { inside: { ipam: { config: { subnet: string }[] } } } }
const compose = (file: string): Compose => parse(read(`docs/containers/${file}`), { merge: true })
const examples = ['compose.yaml', 'caddy/compose.yaml', 'several/compose.yaml']
const isGatehouse = ({ image }: Service) => image === 'localhost/gatehouse'

test.each(examples)('%s makes the root filesystem read-only, drops all capabilities, and waits for the drain time', file => {
  const servers = Object.values(compose(file).services).filter(isGatehouse)
  expect(servers).toHaveLength(file.startsWith('several') ? 3 : 1)
  for (const server of servers) {
    expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], secrets: ['master_key'] })
    expect(Number.parseInt(server.stop_grace_period ?? '', 10) * 1000).toBeGreaterThanOrEqual(limits.stop.drain + 10_000)
  }
})

test.each(examples.slice(1))('in %s only the proxy is reachable from outside, and only its address is trusted', file => {
  const { services, volumes, networks } = compose(file)
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
  expect(published).toMatchObject([[expect.stringMatching(/^(caddy|nginx)$/), { ports: ['80:80', '443:443'] }]])
  expect(published[0]?.[1].networks).toEqual({ inside: { ipv4_address: '10.77.0.2' } })
  // A container without a fixed address could get the proxy's.
  const addresses = Object.values(services).map(service => (service.networks as { inside: { ipv4_address: string } }).inside.ipv4_address)
  expect(new Set(addresses).size).toBe(Object.keys(services).length)
  expect(networks?.inside.ipam.config).toEqual([{ subnet: '10.77.0.0/24' }])
  const used = Object.values(services).flatMap(service => service.volumes?.map(volume => volume.split(':')[0] ?? '') ?? [])
  expect(used.filter(name => !name.startsWith('./')).toSorted()).toEqual(Object.keys(volumes).toSorted())
  for (const server of Object.values(services).filter(isGatehouse))
    expect(server.environment).toMatchObject({ GATEHOUSE_TRUSTED_PROXIES: '10.77.0.2', GATEHOUSE_METRICS_LISTEN: '0.0.0.0:9464' })
})

test.each(['caddy', 'several'])('the server accepts the settings of the example %s in production', folder => {
  const key = join(mkdtempSync(join(tmpdir(), 'gatehouse-example-')), 'master.key')
  onTestFinished(() => rmSync(dirname(key), { recursive: true }))
  writeFileSync(key, Buffer.alloc(32).toString('base64'), { mode: 0o600 })
  const file = read(`docs/containers/${folder}/gatehouse.env`)
  // Docker and Podman take quotes as part of the value.
  expect(file).not.toMatch(/['"]/)
  const server = Object.values(compose(`${folder}/compose.yaml`).services).find(isGatehouse)
  const database = folder === 'several' ? { GATEHOUSE_DATABASE_URL: 'postgres://gatehouse:password@10.77.0.10/gatehouse' } : {}
  const own = { GATEHOUSE_MASTER_KEY_FILE: key, GATEHOUSE_DATA_DIR: dirname(key), NODE_ENV: 'production', ...database }
  const config = readConfig({ ...parseEnv(file), ...server?.environment, ...own })
  expect(config.protectedOrigins).toHaveLength(1)
  expect(config.trustedProxies).toEqual(['10.77.0.2'])
})

/** Replaces texts that occur once, and fails if one is missing. */
const change = (text: string, ...changes: [from: string, to: string][]) =>
  changes.reduce((before, [from, to]) => {
    expect([from, before.split(from).length - 1]).toEqual([from, 1])
    return before.replace(from, () => to)
  }, text)

/** A Caddyfile without the sites of some hosts. */
const without = (text: string, hosts: string[]) =>
  hosts.reduce((before, host) => {
    const [site = host] = new RegExp(`\\n${host} \\{\\n[\\s\\S]*?\\n\\}\\n`).exec(before) ?? []
    return change(before, [site, ''])
  }, text)

test('the Caddyfile of the example equals the Prometheus part of the recipe, except for the container names', () => {
  const recipe = without(read('docs/protecting/Caddyfile'), ['grafana.example.com', 'netdata.example.com'])
  const own = recipe.replaceAll('127.0.0.1:8080', 'gatehouse:8080').replaceAll('127.0.0.1:9090', 'prometheus:9090')
  expect(read('docs/containers/caddy/Caddyfile')).toBe(own)
})

test('the Caddyfile of the getting-started guide equals the Prometheus part of the recipe', () => {
  const recipe = without(read('docs/protecting/Caddyfile'), ['grafana.example.com', 'netdata.example.com'])
  expect(read('docs/getting-started/Caddyfile')).toBe(recipe)
})

test('the nginx.conf of the example equals the Prometheus part of the recipe, with three servers and failover', () => {
  const servers = [11, 12, 13].map(last => `    server 10.77.0.${last}:8080 max_fails=1 fail_timeout=2s;\n`).join('')
  const comment =
    '# nginx tries the next server if no connection can be made. A sign-in that was sent is never sent again: leave out non_idempotent.'
  const example = change(
    read('docs/protecting/nginx.conf'),
    [
      'gatehouse.conf: Gatehouse at sign-in.example.com, applications at sibling names.',
      'default.conf: three Gatehouse servers at sign-in.example.com, Prometheus at a sibling name.',
    ],
    ['    server 127.0.0.1:8080;\n', `    zone gatehouse 64k;\n${servers}`],
    ['    grafana.example.com 127.0.0.1:3000;\n', ''],
    ['    netdata.example.com 127.0.0.1:19999;\n', ''],
    ['127.0.0.1:9090', '10.77.0.20:9090'],
    ['sign-in.example.com grafana.example.com prometheus.example.com netdata.example.com;', 'sign-in.example.com prometheus.example.com;'],
    ['server_name grafana.example.com prometheus.example.com netdata.example.com;', 'server_name prometheus.example.com;'],
    [
      '        proxy_pass http://gatehouse;\n',
      `        proxy_pass http://gatehouse;\n        ${comment}\n        proxy_next_upstream error timeout;\n        proxy_connect_timeout 2s;\n`,
    ],
  )
  expect(read('docs/containers/several/nginx.conf')).toBe(example)
  // docs/operating.md, which explains how to run several servers, shows the same lines.
  for (const line of [comment, 'zone gatehouse 64k;', 'proxy_next_upstream error timeout;', 'proxy_connect_timeout 2s;'])
    expect(read('docs/operating.md')).toContain(`${line}\n`)
})

test.each([
  ['caddy', "['gatehouse:9464']"],
  ['several', "['10.77.0.11:9464', '10.77.0.12:9464', '10.77.0.13:9464']"],
])('the prometheus.yml of the example %s equals that of the metrics page, except for the servers', (folder, targets) => {
  expect(read(`docs/containers/${folder}/prometheus.yml`)).toBe(
    change(read('docs/observability/prometheus.yml'), ["['127.0.0.1:9464']", targets]),
  )
})
