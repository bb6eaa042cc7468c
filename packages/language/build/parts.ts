import { join } from 'node:path'
import type { CatalogModule } from './text-modules.ts'

const packages = join(import.meta.dirname, '../..')

/** The English catalogs. A translation's file has the same keys. */
export const parts = {
  signIn: { file: join(packages, 'sign-in/src/messages/en.ts'), name: 'english' },
  portal: { file: join(packages, 'portal/src/messages/en.ts'), name: 'english' },
  account: { file: join(packages, 'portal/src/messages/en-account.ts'), name: 'englishAccount' },
  administration: { file: join(packages, 'portal/src/messages/en-administration.ts'), name: 'englishAdministration' },
  approver: { file: join(packages, 'portal/src/messages/en-approver.ts'), name: 'englishApprover' },
} satisfies Record<string, CatalogModule>
