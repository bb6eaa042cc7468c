import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const server = 'packages/server/src'

const violations: [file: string, specifier: string, message: string][] = [
  ['packages/wire/src/sign-in/planted.ts', 'react', 'wire imports only its schema library'],
  ['packages/language/src/planted.ts', '@gatehouse/wire', 'language imports nothing'],
  ['packages/wire/src/planted.ts', '@gatehouse/ui/layout/card.tsx', 'wire imports only its schema library'],
  ['packages/wire/src/planted.ts', 'node:fs', 'wire imports only its schema library'],
  ['packages/ui/src/layout/planted.tsx', '@gatehouse/sign-in', 'ui imports only React'],
  ['packages/ui/src/fields/planted.tsx', '@gatehouse/wire', 'ui imports only React'],
  ['packages/ui/src/hooks/planted.ts', 'react-dom/client', 'ui imports only React'],
  ['packages/ui/src/hooks/planted.ts', '../../../sign-in/src/config.ts', 'ui imports only React'],
  ['packages/sign-in/src/pages/login/planted.tsx', '@gatehouse/portal', 'sign-in knows only wire, ui and React'],
  ['packages/sign-in/src/pages/login/planted.tsx', '../../calls/request.ts', 'Only calls/ imports the request layer'],
  ['packages/sign-in/src/pages/login/planted-state.ts', 'react', 'No React in calls and states'],
  ['packages/sign-in/src/messages/planted.ts', '../pages/login/login.tsx', 'Texts and the order of the pages know no page'],
  ['packages/portal/src/account/planted.tsx', '@gatehouse/server', 'portal imports'],
  ['packages/portal/src/account/planted.tsx', 'node:fs', 'portal imports'],
  ['packages/testing/src/planted.ts', '@playwright/test', 'testing imports wire'],
  ['packages/testing/src/planted.ts', '@gatehouse/server/test-server', 'testing imports wire'],
  [`${server}/sign-in/planted.ts`, 'fastify', 'Only http/ and app.ts import Fastify'],
  [`${server}/planted.ts`, '@fastify/cookie', 'Only http/ and app.ts import Fastify'],
  [`${server}/http/pages/planted.ts`, '@gatehouse/portal', 'The server knows the portal only as built files'],
  [`${server}/http/calls/planted.ts`, '../../users/users.store.ts', 'http/ calls flows'],
  [`${server}/http/planted.ts`, '../db/schema.ts', 'http/ calls flows'],
  [`${server}/keys/planted.ts`, '../mail/mail.ts', 'A folder imports only folders of lower levels'],
  [`${server}/passwords/planted.ts`, '../users/users.store.ts', 'A folder imports only folders of lower levels'],
  [`${server}/mail/planted.ts`, '../factors/factors.store.ts', 'A folder imports only folders of lower levels'],
  [`${server}/factors/push/planted.ts`, '../../sign-in/sign-in.ts', 'A folder imports only folders of lower levels'],
  [`${server}/sign-in/planted.ts`, '../core.ts', 'A folder imports only folders of lower levels'],
  [`${server}/sign-in/planted.ts`, '../recovery/recovery.ts', 'A folder imports only folders of lower levels'],
  [`${server}/recovery/planted.ts`, '../account/account.ts', 'A folder imports only folders of lower levels'],
  [`${server}/account/planted.ts`, '../http/caller.ts', 'A folder imports only folders of lower levels'],
  [`${server}/config/planted.ts`, '../doctor/doctor.ts', 'A folder imports only folders of lower levels'],
  [`${server}/users/planted.store.ts`, '../audit/audit.store.ts', 'A store imports no other store and no flow'],
  [`${server}/factors/planted.store.ts`, './factors.store.ts', 'A store imports no other store and no flow'],
  [`${server}/factors/totp/planted.store.ts`, '../credential-permits.ts', 'A store imports no other store and no flow'],
]

const allowed: [file: string, specifier: string][] = [
  [`${server}/sign-in/allowed.ts`, '../users/users.store.ts'],
  [`${server}/factors/totp/allowed.store.ts`, '../../db/schema.ts'],
  [`${server}/http/calls/allowed.ts`, '../../sign-in/sign-in.ts'],
  [`${server}/http/allowed.ts`, 'fastify'],
  ['packages/wire/src/sign-in/allowed.ts', '../format/text.ts'],
  ['packages/testing/src/allowed.ts', '@gatehouse/server/test-protocol'],
  ['packages/portal/src/account/allowed.tsx', '@gatehouse/sign-in'],
  ['packages/server/src/mail/allowed.ts', '@gatehouse/language/text.ts'],
  ['packages/portal/src/account/allowed.tsx', '@gatehouse/ui/layout/card.tsx'],
  ['packages/sign-in/src/pages/login/allowed.tsx', '@gatehouse/ui/layout/card.tsx'],
  ['packages/ui/src/layout/allowed.tsx', '../status/spinner.tsx'],
  ['packages/ui/src/layout/allowed.tsx', 'react'],
]

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** One file per import, so that each report names the import it is about. */
const placeOf = (file: string, specifier: string) =>
  file.replace(/(?=(-state)?(\.store)?\.tsx?$)/, `-${specifier.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '')}`)

const messages = new Map<string, string>()
beforeAll(() => {
  for (const [file, specifier] of [...violations, ...allowed]) {
    const place = join(folder, placeOf(file, specifier))
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, `import * as planted from '${specifier}'\n\nplanted\n`)
  }
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const options = ['lint', '--only=style/noRestrictedImports', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=200', '.']
  const { stdout } = spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: 'utf8' })
  for (const [, file = '', message = ''] of stdout.matchAll(/file=(?:[^,]*\/)?(packages\/[^,]*),.*?::(.*)$/gm))
    messages.set(file, `${messages.get(file) ?? ''}${message}`)
})

test.each(violations)('refuses to let %s import %s', (file, specifier, message) => {
  expect(messages.get(placeOf(file, specifier))).toContain(message)
})

test.each(allowed)('lets %s import %s', (file, specifier) => {
  expect(messages.get(placeOf(file, specifier))).toBeUndefined()
})

test('every type is imported by an import statement, because Biome does not see import() types when it looks for cycles', () => {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  const sources = stdout.split('\n').filter(file => file && existsSync(join(root, file)))
  expect(sources.length).toBeGreaterThan(500)
  const importType = /\btypeof import\(|[:<|&,] *import\('[^']*'\)(?!\.then)/
  expect(sources.filter(file => importType.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
