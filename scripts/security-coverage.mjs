// Writes docs/security-coverage.md: the tests that prove each security requirement, and the reason where one is open.
// node scripts/security-coverage.mjs
// The requirements and open points are in docs/security-requirements.json. Test titles contain the ids.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(fileURLToPath(import.meta.url), '../..')
const id = '(?:[A-Z]{2,3}-\\d{1,2}|A\\d{2})'

const testFiles = () =>
  ['packages', 'e2e', 'docs', 'bench']
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile() && /\.(test|spec)\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(file => !/(^|\/)(node_modules|dist)\//.test(file))
    .sort()

/** The titles of tests that start with ids, by id. */
const findTests = () => {
  const tests = new Map()
  const titles = new RegExp(`(['"\`])(${id}(?:, ${id})*): ((?:\\\\.|(?!\\1).)*)\\1`, 'g')
  for (const file of testFiles()) {
    for (const [, , ids, title] of readFileSync(join(root, file), 'utf8').matchAll(titles)) {
      for (const one of ids.split(', ')) {
        const known = tests.get(one) ?? []
        known.push({ file, title: title.replace(/\\(.)/g, '$1') })
        tests.set(one, known)
      }
    }
  }
  return tests
}

const cell = text => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The content of the page. */
export const securityCoverage = () => {
  const tests = findTests()
  const sections = JSON.parse(readFileSync(join(root, 'docs/security-requirements.json'), 'utf8'))
  const all = sections.flatMap(section => section.requirements)
  const isMet = one => tests.has(one.id) && !one.open
  const open = all.filter(one => !tests.has(one.id) && !one.open)
  const lines = [
    '# Security requirements, and the tests that show them',
    '',
    '`node scripts/security-coverage.mjs` generates this page from the titles of the tests and `docs/security-requirements.json`. Do not edit it. A requirement',
    'is met if a test has its id in the title, and no part of it is open.',
    '',
    `${all.filter(isMet).length} of ${all.length} requirements are met.`,
    '',
    'Calls and pages are abbreviated: L `getAuthTokenWithError`, P `plowlogin`, V `verifyOTP`, S `setupOTP`, R `resetOTP`, RP `sendPasswordResetEmail`,',
    'ML `/magiclink/send`, LU `/user/logout/by/user-id`, LS `/user/logout/by/self`, SSO `ssoLogin`, T the token page, FL the answer `AuthFailureFailedLogin`.',
  ]
  for (const { name, requirements } of sections) {
    lines.push('', `## ${name}`, '', '| id | requirement | met | tests, and what is still open |', '| --- | --- | --- | --- |')
    for (const one of requirements) {
      const shown = (tests.get(one.id) ?? []).map(({ file, title }) => `\`${file}\` “${cell(title)}”`)
      const met = isMet(one) ? 'yes' : tests.has(one.id) ? 'in part' : 'no'
      lines.push(`| ${one.id} | ${cell(one.holds)} | ${met} | ${[...(one.open ? [cell(one.open)] : []), ...shown].join('; ')} |`)
    }
  }
  return {
    page: `${lines.join('\n')}\n`,
    unexplained: open.map(one => one.id),
    known: new Set(all.map(one => one.id)),
    tested: [...tests.keys()],
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { page, unexplained } = securityCoverage()
  writeFileSync(join(root, 'docs/security-coverage.md'), page)
  if (unexplained.length > 0) process.stderr.write(`Neither tested nor explained: ${unexplained.join(', ')}\n`)
}
