import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

// What docs/protecting tells a user to copy is what runs here. Only ports and certificates are the test's own: the names stay,
// for the tests' browser takes all of them for this machine.

export type Ports = { http: number; https: number; gatehouse: number; dashboard: number; prometheus: number }

const recipe = (name: string) => readFileSync(join(import.meta.dirname, '../docs/protecting', name), 'utf8')

/** Changes a text, and fails where there is nothing to change: a recipe must not move away from its test. */
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

export const caddyRecipe = (name: string, ports: Ports) => upstreams(ports, recipe(name))

/** The variables of a recipe, with the port under which the proxy is reached in every address. */
export const settingsOf = (name: string, ports: Ports): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(recipe(name))).map(([variable, value]) => [
      variable,
      (value ?? '').replaceAll(/https:\/\/[\w.-]+/g, origin => `${origin}:${ports.https}`),
    ]),
  )

/** The options in `ARGS="…"`, Debian's way to hand them to the service. */
export const prometheusArgs = (ports: Ports) => {
  const [, args = ''] = /^ARGS="([^"]+)"$/m.exec(recipe('prometheus.args')) ?? []
  return change(upstreams(ports, args), ['https://prometheus.example.com', `https://prometheus.example.com:${ports.https}`]).split(' ')
}
export const prometheusSettings = (ports: Ports) => upstreams(ports, recipe('prometheus.yml'))
