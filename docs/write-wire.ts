// Writes the tables of wire.md: node docs/write-wire.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withTables } from './wire-tables.ts'

const page = join(import.meta.dirname, 'wire.md')
writeFileSync(page, withTables(readFileSync(page, 'utf8')))
