import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administrationRoutes as calls } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { check } from '../forward-auth/asked.ts'
import { folder } from '../support/configuration.ts'
import { ada } from '../support/harness.ts'
import { audited, start } from './administrator.ts'

const startWithRules = async () => {
  const file = join(folder(), 'rules.yaml')
  await writeFile(
    file,
    `
groups: { platform: [${ada.username}] }
rules:
  - { to: http://localhost:3000/oncall, allow: group:oncall }
  - { to: http://localhost:3000/*, allow: users }
`,
  )
  const server = await start({ GATEHOUSE_RULES: file })
  const asAda = server.openBrowser()
  await asAda.enter()
  const oncall = async () => (await check(asAda, 'http://localhost:3000/oncall')).status
  const groups = async () => (await check(asAda, 'http://localhost:3000/')).headers['remote-groups']
  const set = (...names: string[]) => server.browser.call(calls.setGroups, { userId: server.adaId, groups: names })
  return { ...server, asAda, oncall, groups, set }
}

test('groups that an administrator sets apply from the next request on, and are audited', async () => {
  const server = await startWithRules()
  expect([await server.oncall(), await server.groups()]).toEqual([403, 'users,platform'])
  await server.set('sre', 'oncall', 'oncall')
  expect([await server.oncall(), await server.groups()]).toEqual([200, 'users,platform,oncall,sre'])
  expect(await server.browser.call(calls.user, { userId: server.adaId })).toMatchObject({
    groups: ['oncall', 'sre'],
    groupsElsewhere: ['platform'],
  })
  await server.set()
  expect([await server.oncall(), await server.groups()]).toEqual([403, 'users,platform'])
  expect(await audited(server, 'user-groups-changed')).toEqual([
    ['successful', server.adminId, server.adaId],
    ['successful', server.adminId, server.adaId],
  ])
})

test('refuses reserved and malformed group names, keeps the current groups, and ignores such names in a stored row', async () => {
  const server = await startWithRules()
  await server.set('oncall')
  const names = [
    'administrators',
    'users',
    'everyone',
    'pass',
    'Administrators',
    '',
    ' ',
    'a b',
    'a,b',
    'a\nb',
    'a\0',
    '-a',
    '.a',
    'é',
    'a'.repeat(64),
  ]
  for (const name of names)
    expect([name, await server.refusal(calls.setGroups, { userId: server.adaId, groups: ['sre', name] })]).toEqual([
      name,
      [400, expect.stringContaining('groups'), ...(/^[^\0]{0,63}$/s.test(name) ? ['GroupUnfit'] : [])],
    ])
  expect(await server.groups()).toBe('users,platform,oncall')
  // Names that Gatehouse itself would not store.
  await server.db
    .updateTable('users')
    .set({ userGroups: 'administrators oncall,x everyone oncall', userProviderGroups: 'users pass services' })
    .execute()
  expect(await server.groups()).toBe('users,platform,oncall')
  const many = Array.from({ length: 51 }, (_, n) => `g${n}`)
  expect((await server.refusal(calls.setGroups, { userId: server.adaId, groups: many }))[0]).toBe(400)
})

test('only administrators who signed in recently change groups', async () => {
  const server = await startWithRules()
  const change = { userId: server.adaId, groups: ['oncall'] }
  expect((await server.refusal(calls.setGroups, change, server.asAda))[0]).toBe(403)
  expect((await server.refusal(calls.setGroups, change, server.openBrowser()))[0]).toBe(403)
  server.clock.advance(minutes(16))
  expect((await server.refusal(calls.setGroups, change))[0]).toBe(403)
  expect(await server.refusal(calls.setGroups, { ...change, userId: 'nobody' })).toEqual([
    403,
    expect.any(String),
    'ReauthenticationRequired',
  ])
  expect(await server.groups()).toBe('users,platform')
})
