import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, needs, test } from './protecting.ts'
import { certificate, nginxMain, programs } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'

const examples = join(import.meta.dirname, '../docs/containers')

test.describe('@long', () => {
  let folder = ''
  test.beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-containers-'))
  })
  test.afterEach(() => rmSync(folder, { recursive: true }))
  const run = (path: string, ...args: string[]) =>
    execFileSync(path, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: folder, LD_LIBRARY_PATH: process.env.GATEHOUSE_TEST_LIBRARIES ?? '' },
    })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text.replaceAll('<folder>', folder))

  test('nginx accepts the file of the example with three servers', async () => {
    needs('nginx')
    const text = readFileSync(join(examples, 'several/nginx.conf'), 'utf8')
    write(
      'gatehouse.conf',
      change(text, ['/etc/ssl/example.com/fullchain.pem', '<folder>/cert.pem'], ['/etc/ssl/example.com/privkey.pem', '<folder>/key.pem']),
    )
    write('nginx.conf', nginxMain)
    for (const [name, part] of Object.entries(await certificate())) write(name, part)
    expect(() => run(programs.nginx, '-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr')).not.toThrow()
  })

  test('Caddy accepts the file of the example with a dashboard', () => {
    needs('caddy')
    expect(run(programs.caddy, 'validate', '--adapter', 'caddyfile', '--config', join(examples, 'caddy/Caddyfile'))).toContain(
      'Valid configuration',
    )
  })

  test('Prometheus accepts the settings of both examples', () => {
    needs('promtool')
    for (const name of ['caddy', 'several'])
      expect(run(programs.promtool, 'check', 'config', '--syntax-only', join(examples, name, 'prometheus.yml'))).toContain('SUCCESS')
  })
})
