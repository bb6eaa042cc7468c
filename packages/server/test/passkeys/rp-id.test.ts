import { expect, test } from 'vitest'
import { examinePasskeys, examineRpId } from '../../src/doctor/passkeys.ts'
import { rpIdProblem } from '../../src/factors/passkey/rp-id-change.ts'
import { ada } from '../support/harness.ts'
import { startWithPasskey } from '../support/passkey-users.ts'

const on = (rpId: string, before?: string) => ({ is: 'On', relyingParty: { rpId, origins: [] }, uncovered: [], before }) as const

test('refuses to start with another RP ID while passkeys exist, and explains both ways out', async () => {
  const { server } = await startWithPasskey()
  expect(await rpIdProblem(server.db, server.config.passkeys)).toBeUndefined()
  const problem = await rpIdProblem(server.db, on('example.com'))
  expect(problem).toBe(
    '1 passkey is bound to localhost. Now they would be for example.com, and no browser would offer them. To keep them, set GATEHOUSE_PASSKEY_RP_ID=localhost and a GATEHOUSE_PUBLIC_URL on that domain. To give them up, set GATEHOUSE_PASSKEY_RP_ID_BEFORE=localhost.',
  )
  expect(await rpIdProblem(server.db, on('example.com', 'example.org'))).toBe(problem)
  expect(await rpIdProblem(server.db, on('example.com', 'localhost'))).toBeUndefined()
  const off = { is: 'Off', why: '192.0.2.7 is an IP address', before: undefined } as const
  expect(await rpIdProblem(server.db, off)).toContain('Now there would be none, because 192.0.2.7 is an IP address')
  const findings = await examineRpId(server.db, { ...server.config, passkeys: on('example.com') })
  expect(findings).toMatchObject([{ level: 'problem', says: problem }])
  expect(await examineRpId(server.db, server.config)).toEqual([])
})

test('the doctor says whether passkeys are on, and which origins need the file of related origins', async () => {
  const { server } = await startWithPasskey()
  expect(examinePasskeys(server.config)).toMatchObject([{ level: 'ok', says: 'They are bound to localhost.' }])
  const off = { is: 'Off', why: 'http://gate.example.com is not https', before: undefined } as const
  expect(examinePasskeys({ ...server.config, passkeys: off })).toMatchObject([{ level: 'warning' }])
  const related = { ...on('example.com'), uncovered: ['https://app.example.org'] }
  expect(examinePasskeys({ ...server.config, passkeys: related })).toHaveLength(2)
})

test.each([
  ['of this RP ID', {}, true],
  ['that was imported', { passkeyImported: 1 as const }, true],
  ['of another RP ID', { passkeyRpId: 'elsewhere.example.org' }, false],
])('the administration page offers reauthentication with a passkey %s (%j): %s', async (_, changes, hasPasskey) => {
  const { server, browser } = await startWithPasskey({ env: { GATEHOUSE_ADMINS: ada.username } })
  if (Object.keys(changes).length > 0) await server.db.updateTable('passkeys').set(changes).execute()
  const { body } = await browser.get('/administration', { accept: 'text/html' })
  expect(JSON.parse(/id="gatehouse-props">([^<]*)</.exec(body)?.[1] ?? 'null')).toMatchObject({ hasPasskey })
})
