import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { send } from './protecting-requests.ts'

/** The path of a program that the set-up has found or downloaded. Empty if it is missing. */
const pathOf = (variable: string, place: string) => {
  const downloaded = join(import.meta.dirname, '../.tools/debian', place)
  return process.env[variable] ?? (existsSync(downloaded) ? downloaded : '')
}

const prometheus = pathOf('GATEHOUSE_TEST_PROMETHEUS', 'usr/bin/prometheus')
const promtool = join(dirname(prometheus), 'promtool')

export const programs = {
  nginx: pathOf('GATEHOUSE_TEST_NGINX', 'usr/sbin/nginx'),
  caddy: pathOf('GATEHOUSE_TEST_CADDY', 'usr/bin/caddy'),
  prometheus,
  promtool: existsSync(promtool) ? promtool : '',
  curl: existsSync('/usr/bin/curl') ? '/usr/bin/curl' : '',
}

export type ProxyName = 'nginx' | 'caddy'

/** Whether this Caddy knows `stream_timeout`, which is commented out in the recipe. Caddy 2.6 does not start with it. */
export const knowsStreamTimeout = (): boolean =>
  programs.caddy !== '' && !/^v?2\.[0-6]\./.test(execFileSync(programs.caddy, ['version'], { encoding: 'utf8' }))

/** Runs a program on `files` in its own folder. Resolves when `address` responds. */
const run = async (path: string, files: Record<string, string>, argsIn: (folder: string) => string[], address: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-protecting-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text.replaceAll('<folder>', folder))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LD_LIBRARY_PATH: process.env.GATEHOUSE_TEST_LIBRARIES ?? '' }
  const child = spawn(path, argsIn(folder), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  const gone = new Promise<void>(resolve => child.on('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  for (let left = 150; left > 0; left--) {
    const status = await send(address).then(
      answer => answer.status,
      () => 0,
    )
    if (status > 0 && status !== 503) return { folder, stop, said: () => said }
    if (child.exitCode !== null) break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`${path} does not answer: ${said}`)
}

/** A self-signed certificate for the recipes' host names. Programs accept it only if a test tells them to. */
export const certificate = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-certificate-'))
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:example.com,DNS:*.example.com']
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: folder, stdio: 'ignore' })
  const [key, cert] = await Promise.all([readFile(join(folder, 'key.pem'), 'utf8'), readFile(join(folder, 'cert.pem'), 'utf8')])
  await rm(folder, { recursive: true })
  return { 'key.pem': key, 'cert.pem': cert }
}

/** Runs nginx in the foreground without worker processes. In production, the service manager decides this. */
export const nginxMain = `
daemon off;
master_process off;
pid <folder>/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path <folder>/body;
  proxy_temp_path <folder>/proxy;
  fastcgi_temp_path <folder>/fastcgi;
  uwsgi_temp_path <folder>/uwsgi;
  scgi_temp_path <folder>/scgi;
  include <folder>/gatehouse.conf;
}
`

const caddyMain = (ports: { http: number; https: number }) => `{
  admin off
  local_certs
  skip_install_trust
  default_bind 127.0.0.1
  http_port ${ports.http}
  https_port ${ports.https}
  storage file_system <folder>/storage
}
`

/** Starts a proxy with a recipe, on the test's ports. Resolves when `address` responds. */
export const startProxy = async (name: ProxyName, text: string, ports: { http: number; https: number }, address: string) => {
  switch (name) {
    case 'nginx': {
      const files = { 'nginx.conf': nginxMain, 'gatehouse.conf': text, ...(await certificate()) }
      const program = await run(programs.nginx, files, folder => ['-p', folder, '-c', `${folder}/nginx.conf`, '-e', 'stderr'], address)
      return { ...program, authority: join(program.folder, 'cert.pem') }
    }
    case 'caddy': {
      const files = { Caddyfile: caddyMain(ports) + text }
      const program = await run(programs.caddy, files, folder => ['run', '--config', `${folder}/Caddyfile`], address)
      return { ...program, authority: join(program.folder, 'storage/pki/authorities/local/root.crt') }
    }
  }
}

/** Debian's Prometheus expects its pages in a system folder, which is missing if the package is only unpacked. */
const pagesOfPrometheus = () => {
  const pages = join(dirname(programs.prometheus), '../share/prometheus/web/')
  return existsSync(pages) ? [`--web.local-assets=${pages}`] : []
}

/** Starts Prometheus with its settings, and the rule files that they name. */
export const startPrometheus = (settings: string, args: string[], address: string, rules: Record<string, string> = {}) =>
  run(
    programs.prometheus,
    { 'prometheus.yml': settings, ...rules },
    folder => [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, ...pagesOfPrometheus(), ...args],
    `${address}/-/ready`,
  )
