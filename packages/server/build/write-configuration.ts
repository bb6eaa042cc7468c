// Writes docs/configuration.md and systemd/gatehouse.env. Run it after a change in src/config/variable-sections.ts:
//   node packages/server/build/write-configuration.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentFile, withTables } from './described-configuration.ts'

const page = join(import.meta.dirname, '../../../docs/configuration.md')
writeFileSync(page, withTables(readFileSync(page, 'utf8')))
writeFileSync(join(import.meta.dirname, '../systemd/gatehouse.env'), environmentFile())
