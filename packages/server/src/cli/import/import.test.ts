import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseDocument } from 'yaml'
import { readConfig } from '../../config/config.ts'
import { inMemory, openDatabase } from '../../db/open.ts'
import { importAuthelia } from './import.ts'

// Use the real library, and count the calls.
vi.mock('yaml', { spy: true })

test('an import with --apply parses each Authelia file once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const users = file('users.yml', 'users:\n  ada:\n    email: ada@example.com\n')
  const totp = file('totp.yml', 'totp_configurations: []\n')
  const database = await openDatabase(inMemory)
  onTestFinished(() => database.close())
  await importAuthelia({
    args: [users],
    options: new Map([
      ['apply', ''],
      ['totp', totp],
    ]),
    config: readConfig({ GATEHOUSE_DATA_DIR: folder }),
    database,
    write: () => {},
    data: () => {},
  })
  expect(await database.db.selectFrom('users').select('userIdent').execute()).toEqual([{ userIdent: 'ada@example.com' }])
  expect(parseDocument).toHaveBeenCalledTimes(2)
})
