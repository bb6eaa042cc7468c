import { join } from 'node:path'
import type { CatalogModule } from './text-modules.ts'

const packages = join(import.meta.dirname, '../..')
const portal = join(packages, 'portal/src/messages')

/** The English catalogs. A translation's file has the same keys. */
export const parts = {
  signIn: { file: join(packages, 'sign-in/src/messages/en.ts'), name: 'english' },
  portal: { file: join(portal, 'en.ts'), name: 'english' },
  account: { file: join(portal, 'en-account.ts'), name: 'englishAccount' },
  administration: { file: join(portal, 'en-administration.ts'), name: 'englishAdministration' },
  approver: { file: join(portal, 'en-approver.ts'), name: 'englishApprover' },
  server: { file: join(packages, 'server/src/texts/en.ts'), name: 'englishServer' },
} satisfies Record<string, CatalogModule>
