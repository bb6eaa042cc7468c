import type { CompiledQuery } from 'kysely'
import { expect, inject, test } from 'vitest'
import { pageOf, sortedPage } from '../../src/admin/user-list.ts'
import { countedRows, freshRows } from '../../src/audit/audit-counts.store.ts'
import { lockedNames } from '../../src/sign-in/locks.ts'
import { startServer } from '../support/harness.ts'

// PostgreSQL's planner decides by the table contents; SQLite's decides by the indexes alone.
test.runIf(inject('postgres') === '')(
  'reads the user list and the sign-in board by index; sorting users by address or date added needs no temporary table',
  async () => {
    const { db } = await startServer()
    const plan = async ({ compile }: { compile: () => CompiledQuery }) => {
      const { sql, parameters } = compile()
      const { rows } = await db.executeQuery<{ detail: string }>({ ...compile(), sql: `explain query plan ${sql}`, parameters })
      return rows.map(row => row.detail).join('; ')
    }
    const wanted = {
      search: 'ada',
      filter: 'All',
      sort: 'Address',
      descending: false,
      after: undefined,
      administrators: [],
      now: 0,
    } as const
    const bound = <T extends { compile: () => CompiledQuery }>(query: T) => ({ compile: () => query.compile() })
    const begins = await plan(bound(pageOf(db, wanted, 'begins', '', 51)))
    expect(begins).toMatch(/SEARCH users USING INDEX sqlite_autoindex_users_2 \(userIdent>\? AND userIdent<\?\)/)
    const contains = await plan(bound(pageOf(db, wanted, 'contains', 'b', 51)))
    expect(contains).toMatch(/users USING (COVERING )?INDEX sqlite_autoindex_users_2/)
    const without = await plan(bound(pageOf(db, { ...wanted, filter: 'WithoutFactor' }, 'begins', '', 51)))
    expect(without).toMatch(/SEARCH factors USING (COVERING )?INDEX factors_(verified|identity)/)
    const added = await plan(bound(sortedPage(db, { ...wanted, search: '', sort: 'Added', descending: true }, undefined, 51)))
    expect(added).toMatch(/SCAN users USING (COVERING )?INDEX users_added/)
    const signedIn = await plan(bound(sortedPage(db, { ...wanted, search: '', sort: 'LastSignIn' }, undefined, 51)))
    expect(signedIn).toMatch(/SEARCH audit USING COVERING INDEX audit_signed_in/)
    const locked = await plan(bound(lockedNames(db, 0)))
    expect(locked).toContain('failed_logins_ends')
    expect(locked).not.toContain('SCAN')
    const counted = await plan(bound(countedRows(db, 0, 1, 1)))
    expect(counted).toMatch(/SEARCH audit_counts USING INDEX sqlite_autoindex_audit_counts_1/)
    const fresh = await plan(bound(freshRows(db, 0, 0, 1, 1)))
    expect(fresh).toMatch(/SEARCH audit USING INDEX audit_at/)
    for (const page of [begins, contains, without, added]) expect(page).not.toContain('TEMP B-TREE')
  },
)
