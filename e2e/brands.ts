import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../docs/branding')

/** The settings of an example in docs/branding.md, read from its block there. */
const settingsOf = (example: string): Record<string, string> => {
  const docs = readFileSync(join(folder, '../branding.md'), 'utf8')
  const [, block = ''] = new RegExp(`^### ${example}\\n[\\s\\S]*?\\n\\n((?: {4}GATEHOUSE_.*\\n)+)`, 'm').exec(docs) ?? []
  const settings = [...block.matchAll(/^ {4}(GATEHOUSE_\w+)="?(.*?)"?$/gm)].map(([, name = '', value = '']) => [name, value])
  if (settings.length === 0) throw new Error(`docs/branding.md has no settings for ${example}`)
  return { ...Object.fromEntries(settings), GATEHOUSE_BRAND_DIR: join(folder, example.toLowerCase()) }
}

export const brands = ['Harbor', 'Juniper', 'Meridian'].map(name => ({ name, settings: settingsOf(name) }))
