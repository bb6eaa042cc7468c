import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { copyProject, linkPackages } from './project-copy.ts'

// An operator gets the files of a release, and installs the server on a machine with Node only.
const exec = promisify(execFile)
const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

/** Starts the installed server, signs in, and prints what it could and could not do. Runs confined, so it uses Node's modules only. */
const probe = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const [command, data] = process.argv.slice(2)
const password = 'correct horse battery'
const env = { PATH: process.env.PATH, GATEHOUSE_DATA_DIR: data, GATEHOUSE_SECOND_FACTOR: 'off', GATEHOUSE_ADMIN_PASSWORD: password, GATEHOUSE_DRAIN: '0' }
const server = spawn(command, ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
await new Promise((resolve, reject) => {
  server.stdout.on('data', chunk => String(chunk).includes('ready') && resolve())
  server.on('close', () => reject(new Error('the server ended')))
})
const url = 'http://localhost:8080'
const headers = { 'content-type': 'application/json', origin: url }
const body = JSON.stringify({ username: 'admin@example.com', password, useragent: '' })
const answer = await (await fetch(url + '/auth/page/plow/getAuthTokenWithError', { method: 'POST', headers, body })).json()
const page = (await fetch(url)).status
const tryTo = async work => { try { await work(); return 'yes' } catch (error) { return error.cause?.code ?? error.code } }
const said = {
  tag: answer.tag, page, user: process.getuid(),
  writes: await tryTo(() => writeFileSync('written', '')),
  network: await tryTo(() => fetch('http://192.0.2.1/', { signal: AbortSignal.timeout(3000) })),
}
server.removeAllListeners('close')
const ended = new Promise(resolve => server.on('close', resolve))
server.kill('SIGTERM')
console.log(JSON.stringify({ ...said, code: await ended }))
`

test.describe('@long', () => {
  test.describe.configure({ mode: 'serial', timeout: 600_000 })
  let folder = ''
  const released: string[] = []

  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-release-'))
    await chmod(folder, 0o755)
  })
  test.afterAll(() => rm(folder, { recursive: true, force: true }))

  /** The environment of an operator. npm keeps the settings of this machine, such as its proxy. */
  const env = (more: Record<string, string> = {}) => {
    const { NODE_ENV: _, npm_execpath: __, NODE_COMPILE_CACHE: ___, ...own } = process.env
    return { ...own, PATH: [dirname(process.execPath), own.PATH ?? ''].join(delimiter), ...more }
  }

  test('npm run release makes the same files in another folder', async () => {
    for (const name of ['one', 'another-name']) {
      const copy = join(folder, name)
      await mkdir(copy)
      await copyProject(copy)
      await linkPackages(copy)
      await exec(process.execPath, ['scripts/setup.mjs', 'release'], {
        cwd: copy,
        env: env({ SOURCE_DATE_EPOCH: '1790000000' }),
        maxBuffer: 2 ** 26,
      })
      released.push(join(copy, 'release'))
    }
    const [one = '', other = ''] = released
    const names = (await readdir(one)).sort()
    const { version } = JSON.parse(await readFile(join(folder, 'one/package.json'), 'utf8'))
    expect(names).toEqual([
      'SHA256SUMS',
      `gatehouse-${version}.cdx.json`,
      `gatehouse-conformance-${version}.tgz`,
      `gatehouse-mock-${version}.tgz`,
      `gatehouse-server-${version}.tgz`,
      `gatehouse-sign-in-${version}.tgz`,
      `gatehouse-testing-${version}.tgz`,
      `gatehouse-wire-${version}.tgz`,
    ])
    expect(await readFile(join(other, 'SHA256SUMS'), 'utf8')).toBe(await readFile(join(one, 'SHA256SUMS'), 'utf8'))
    for (const name of names) expect((await readFile(join(other, name))).equals(await readFile(join(one, name)))).toBe(true)
    for (const line of (await readFile(join(one, 'SHA256SUMS'), 'utf8')).trim().split('\n')) {
      const [sum, name = ''] = line.split('  ')
      expect(
        createHash('sha256')
          .update(await readFile(join(one, name)))
          .digest('hex'),
      ).toBe(sum)
    }
  })

  test('the bill of materials names every bundled library and every direct dependency of the server, with its version', async () => {
    const one = released[0] ?? ''
    const name = (await readdir(one)).find(file => file.endsWith('.cdx.json')) ?? ''
    const text = await readFile(join(one, name), 'utf8')
    const { bomFormat, serialNumber, metadata, components } = JSON.parse(text)
    expect({ bomFormat, serialNumber, timestamp: metadata.timestamp }).toEqual({
      bomFormat: 'CycloneDX',
      serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      timestamp: '2026-09-21T14:13:20.000Z',
    })
    const listed: string[] = components.map((one: Record<string, string>) => `${one.name} ${one.version}`)
    const bundledIn = async (name: string) => {
      const licenses = await readFile(join(folder, `one/packages/${name}/dist/LICENSES.txt`), 'utf8')
      return [...licenses.matchAll(/(?:^-{80}\n\n|package\n\n)(\S+ \d\S+)\n\n/gm)].map(([, library = '']) => library)
    }
    const [bundled, inWidget] = [await bundledIn('server'), await bundledIn('sign-in')]
    expect(bundled.length).toBeGreaterThan(50)
    expect(inWidget.map(library => library.split(' ')[0])).toEqual(
      expect.arrayContaining(['react', 'react-dom', 'react-toastify', 'valibot']),
    )
    expect([...bundled, ...inWidget].filter(library => !listed.includes(library))).toEqual([])
    const { stdout: packed } = await exec('tar', ['tzf', join(one, `gatehouse-sign-in-${metadata.component.version}.tgz`)])
    expect(packed.split('\n')).toContain('package/dist/LICENSES.txt')
    const { dependencies } = JSON.parse(await readFile(join(folder, 'one/packages/server/dist/package.json'), 'utf8'))
    for (const tool of ['vite', 'vitest', 'typescript', 'playwright-core'])
      expect(listed.join('\n')).not.toMatch(new RegExp(`^${tool} `, 'm'))
    for (const [library, version] of Object.entries(dependencies)) expect(listed).toContain(`${library} ${version}`)
    expect(text).not.toContain(folder)
  })

  test('the package installs in an empty folder, and the server signs in confined: read-only, without network, as another user', async () => {
    const one = released[0] ?? ''
    const place = join(folder, 'place')
    await mkdir(place, { mode: 0o755 })
    const tarball = (await readdir(one)).find(file => file.includes('server')) ?? ''
    const start = performance.now()
    await exec('npm', ['install', '--loglevel=error', join(one, tarball)], {
      cwd: place,
      env: env(),
      shell: process.platform === 'win32',
      timeout: 60_000,
    })
    await writeFile(join(place, 'probe.mjs'), probe)
    const data = join(folder, 'data')
    await mkdir(data)
    await chmod(data, 0o777)
    // The user may write here, so only the read-only file system can refuse it.
    await chmod(place, 0o777)
    const command = join(place, 'node_modules/.bin/gatehouse')
    const run = [process.execPath, join(place, 'probe.mjs'), command, data]
    // Other file systems of the machine become read-only in this mount namespace; the data folder is a writable volume.
    const confine = `set -e
      ip link set lo up
      mount --make-rprivate /
      mount --bind "$1" "$1"
      awk '{print $2}' /proc/mounts | while read -r at; do
        [ "$at" = "$1" ] || mount -o remount,bind,ro "$at" 2>/dev/null || true
      done
      shift
      exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"`
    const { stdout } = isRootOnLinux
      ? await exec('unshare', ['--net', '--mount', 'sh', '-c', confine, 'confine', data, ...run], {
          cwd: place,
          env: env(),
          timeout: 60_000,
        })
      : await exec(process.execPath, run.slice(1), { cwd: place, env: env(), timeout: 60_000 })
    expect(performance.now() - start).toBeLessThan(60_000)
    expect(JSON.parse(stdout)).toEqual({
      tag: 'AuthSuccessful',
      page: 200,
      user: isRootOnLinux ? 65534 : process.getuid?.(),
      writes: isRootOnLinux ? 'EROFS' : expect.any(String),
      network: isRootOnLinux ? 'ENETUNREACH' : expect.any(String),
      code: 0,
    })
    const files = await readdir(join(place, 'node_modules'), { recursive: true, withFileTypes: true })
    const sizes = await Promise.all(
      files.filter(file => file.isFile()).map(async file => (await stat(join(file.parentPath, file.name))).blocks),
    )
    expect(sizes.reduce((sum, blocks) => sum + blocks * 512, 0)).toBeLessThanOrEqual(80 * 1024 ** 2)
  })
})
