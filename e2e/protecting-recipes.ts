import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

// The tests run exactly what docs/protecting tells users to copy, except for ports and certificates. Host names stay, because the tests'
// browser resolves them to this machine.

export type Ports = { http: number; https: number; gatehouse: number; dashboard: number; prometheus: number }

const recipe = (name: string) => readFileSync(join(import.meta.dirname, '../docs/protecting', name), 'utf8')

/** Replaces texts, and fails if one is missing, so that recipes and tests stay consistent. */
export const change = (text: string, ...changes: [from: string, to: string][]) =>
  changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the recipe has no ${from}`)
    return before.replaceAll(from, to)
  }, text)

const upstreams = ({ gatehouse, dashboard, prometheus }: Ports, text: string) =>
  [
    ['127.0.0.1:8080', gatehouse] as const,
    ['127.0.0.1:3000', dashboard] as const,
    ['127.0.0.1:19999', dashboard] as const,
    ['127.0.0.1:9090', prometheus] as const,
  ].reduce((before, [from, port]) => before.replaceAll(from, `127.0.0.1:${port}`), text)

export const nginxRecipe = (name: string, ports: Ports) =>
  change(
    upstreams(ports, recipe(name)),
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ', `listen 127.0.0.1:${ports.https} `],
    ['/etc/ssl/example.com/fullchain.pem', '<folder>/cert.pem'],
    ['/etc/ssl/example.com/privkey.pem', '<folder>/key.pem'],
  )

/** @param version `2.7`: with the line that the recipe tells users of Caddy 2.7 or later to enable */
export const caddyRecipe = (name: string, ports: Ports, version: '2.6' | '2.7') => {
  const text = upstreams(ports, recipe(name))
  return version === '2.6' ? text : change(text, ['# stream_timeout 1h', 'stream_timeout 1h'])
}

/** The variables of a recipe, with the proxy's port added to every address. */
export const settingsOf = (name: string, ports: Ports): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(recipe(name))).map(([variable, value]) => [
      variable,
      (value ?? '').replaceAll(/https:\/\/[\w.-]+/g, origin => `${origin}:${ports.https}`),
    ]),
  )

/** The options in `ARGS="…"`, which Debian's service passes to Prometheus. */
export const prometheusArgs = (ports: Ports) => {
  const [, args = ''] = /^ARGS="([^"]+)"$/m.exec(recipe('prometheus.args')) ?? []
  return change(upstreams(ports, args), ['https://prometheus.example.com', `https://prometheus.example.com:${ports.https}`]).split(' ')
}
export const prometheusSettings = (ports: Ports) => upstreams(ports, recipe('prometheus.yml'))
