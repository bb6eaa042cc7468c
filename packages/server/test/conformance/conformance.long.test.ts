import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '@gatehouse/conformance'
import { expect, test } from 'vitest'
import { browserFaults } from './browser-faults.ts'
import { check, startChecked } from './checked-server.ts'
import { errorFaults } from './error-faults.ts'
import { outcomeFaults } from './outcome-faults.ts'
import { sessionFaults } from './session-faults.ts'

const faults = [...outcomeFaults, ...sessionFaults, ...browserFaults, ...errorFaults]
const idsOf = (rows: readonly Row[], result: Row['result']) => rows.filter(row => row.result === result).map(({ id }) => id)
/** One address for all requests, as a server without a proxy sees them. */
const oneAddress = {
  asks: (headers: Record<string, string>) => {
    headers['x-forwarded-for'] = '192.0.2.7'
  },
}

test('the server passes every row: with second factors, without, over https, with a flood and with timing', async () => {
  const off = await startChecked('off')
  const runs = [
    await check(off),
    await check(await startChecked('skippable')),
    await check(await startChecked('off', true), {}, { only: ['cookies/', 'session/'] }),
    await check(off, oneAddress, { flood: true, only: ['flood', 'responses/retry-after'] }),
    await check(off, {}, { timingSamples: 40, only: ['timing'] }),
    await check(await startChecked('skippable'), {}, { timingSamples: 40, only: ['timing/totp'] }),
  ]
  const rows = runs.flat()
  expect(rows.filter(({ result }) => result === 'failed')).toEqual([])
  const passed = idsOf(rows, 'passed')
  expect(rows.map(({ id }) => id).filter(id => !passed.includes(id))).toEqual([])
})

test.each(faults)('only the expected rows fail when $fault', async ({ mode = 'off', https, named, plant }) => {
  const rows = await check(await startChecked(mode, https), plant)
  expect(idsOf(rows, 'failed')).toEqual(named)
})

test('the flood row fails for a server without rate limits', async () => {
  const rows = await check(await startChecked('off'), {}, { flood: true, only: ['flood'] })
  expect(idsOf(rows, 'failed')).toEqual(['flood/limited'])
})

test('the timing rows fail for a server that answers faster when there is no account', async () => {
  const slow = async ({ sent }: { sent: { body: string } }) => {
    sent.body.includes('conformance-') || (await sleep(8))
  }
  const rows = await check(await startChecked('off'), { change: slow }, { timingSamples: 30, only: ['timing'] })
  expect(idsOf(rows, 'failed')).toEqual(['timing/password', 'timing/forcedReset', 'timing/lockout'])
  expect(idsOf(rows, 'not checked')).toEqual(['timing/totp'])
})

test('each row, except for timing, fails with one of the planted faults', async () => {
  const rows = await check(await startChecked('off'))
  const named = new Set([...faults.flatMap(({ named }) => named), 'flood/limited'])
  expect(rows.map(({ id }) => id).filter(id => !named.has(id) && !id.startsWith('timing/'))).toEqual([])
})
