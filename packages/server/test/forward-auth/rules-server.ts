import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folder } from '../support/configuration.ts'
import { startServer } from '../support/harness.ts'

/** A server for dashboards on sibling hosts, with a rules file. */
export const startWithRules = async (text: string, more: Record<string, string> = {}) => {
  const file = join(folder(), 'rules.yaml')
  await writeFile(file, text)
  const siblings = { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com', GATEHOUSE_COOKIE_DOMAIN: 'example.com' }
  return { file, server: await startServer({ env: { ...siblings, GATEHOUSE_RULES: file, ...more } }) }
}
