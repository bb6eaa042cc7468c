// Writes the tables of docs/api.md from the built types: npm run e2e -- --list && node e2e/write-api.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withExports } from './package-exports.ts'

const page = join(import.meta.dirname, '../docs/api.md')
writeFileSync(page, withExports(readFileSync(page, 'utf8')))
