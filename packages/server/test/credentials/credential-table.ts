import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWithProvider } from '../sso/sso-sign-in.ts'
import { folder } from '../support/configuration.ts'
import { type ActName, tryEverything } from './credential-acts.ts'
import { applicationForPasses } from './credential-attacker.ts'
import type { Holding } from './credential-victim.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/security.md'), 'utf8')

/** The cells of the first table in docs/security.md: act, holding and verdict. The page has another table of attacks on mailed codes. */
export const cells = () => {
  const [, section = ''] = page.split(/^## /m)
  const [heads = [], , ...rows] = section
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.split('|').slice(1, -1))
  return rows.flatMap(([act = '', ...said]) =>
    said.map((text, i) => ({ act: act.trim(), holding: (heads[i + 1] ?? '').trim().toLowerCase(), says: text.trim() })),
  )
}

/** Whether a holding suffices alone, or together with which others. */
export const meaning = (says: string) => ({
  alone: says === 'yes',
  with: says.startsWith('with ') ? says.slice('with '.length).split(', ') : [],
})

const tried = new Map<string, ReadonlySet<ActName>>()
/** Tries each set of holdings once; later tests reuse the result. */
export const succeeds = async (act: ActName, held: Holding[]) => {
  const key = held.toSorted().join()
  const found = tried.get(key) ?? (await tryEverything(await startInstallation(), new Set(held)))
  tried.set(key, found)
  return found.has(act)
}
const startInstallation = async () => {
  const file = join(folder(), 'rules.yaml')
  await writeFile(file, `rules: [{ to: ${applicationForPasses}/*, allow: [users, pass] }]`)
  const policy = { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_SSO_TRUSTED: 'azure', GATEHOUSE_RULES: file }
  return startWithProvider({ as: ['GOOGLE', 'AZURE', 'PAK'], env: policy })
}
