import type { Row } from './check-server.ts'

const marks = { passed: '✓', failed: '✗', 'not checked': '–' } as const

/**
 * Formats the results: a line for each rule, with its section of the specification, then the
 * counts. A failed rule says what the server did. An unchecked rule says why.
 */
export const reportOf = (rows: readonly Row[]): string => {
  const width = (of: (row: Row) => string) => Math.max(0, ...rows.map(row => of(row).length))
  const [sections, ids] = [width(row => row.section), width(row => row.id)]
  const lines = rows.flatMap(({ id, section, rule, result, found }) => [
    `${marks[result]} ${section.padEnd(sections)}  ${id.padEnd(ids)}  ${rule}`,
    ...(found ? [`  ${' '.repeat(sections)}  ${' '.repeat(ids)}  ${result === 'failed' ? 'FAILED' : 'not checked'}: ${found}`] : []),
  ])
  const count = (result: Row['result']) => rows.filter(row => row.result === result).length
  return [...lines, '', `${count('passed')} passed, ${count('failed')} failed, ${count('not checked')} not checked`, ''].join('\n')
}
