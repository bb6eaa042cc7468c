// Combines the reports of Vitest and Playwright into one summary: counts, failures, skipped tests with their reasons, and the ten slowest.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * One test, as a report describes it.
 * @typedef {{ file: string, title: string, outcome: 'passed' | 'failed' | 'skipped', seconds: number, lines: string[], why?: string }} Told
 */

/** The first lines of a failure, without terminal colors. */
const firstLines = message =>
  String(message ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a color sequence begins with the escape character
    .replace(/\x1b\[[0-9;]*m/g, '')
    .split('\n')
    .slice(0, 6)

const outcomes = { passed: 'passed', failed: 'failed', expected: 'passed', unexpected: 'failed', flaky: 'failed' }

/** @returns {Told[]} */
export const readVitest = (report, root) =>
  report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults.map(({ fullName, status, duration, failureMessages }) => ({
      file,
      title: fullName,
      outcome: outcomes[status] ?? 'skipped',
      seconds: (duration ?? 0) / 1000,
      lines: firstLines(failureMessages?.[0]),
    }))
    // A file that cannot be loaded has no tests, but has failed.
    const failedAsWhole = status === 'failed' && !tests.some(({ outcome }) => outcome === 'failed')
    return failedAsWhole ? [...tests, { file, title: 'the file itself', outcome: 'failed', seconds: 0, lines: firstLines(message) }] : tests
  })

/** @returns {Told[]} */
export const readPlaywright = ({ suites }) => {
  const specsOf = suite => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  return suites.flatMap(specsOf).flatMap(({ file, line, title, tests }) =>
    tests.map(({ status, results, annotations }) => ({
      file: `e2e/${file}:${line}`,
      title,
      outcome: outcomes[status] ?? 'skipped',
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      lines: firstLines(results[0]?.error?.message),
      why: annotations.find(({ type }) => type === 'skip')?.description,
    })),
  )
}

/** Why a test was skipped: the reason it gives, or else the database engine that it is for. */
const whySkipped = (test, all) => {
  if (test.why) return test.why
  const ranElsewhere = all.some(({ file, title, outcome }) => outcome !== 'skipped' && file === test.file && title === test.title)
  if (ranElsewhere) return 'for one database engine only, where it ran'
  const fileRan = all.some(({ file, outcome }) => outcome !== 'skipped' && file === test.file)
  return fileRan ? 'for the other database engine, on which npm run test:long runs this file' : 'gives no reason'
}

/**
 * Collects the reports of a run of tests.
 * @param root folder of the project
 * @param run runs a program to its end and resolves to its exit code
 * @param say prints a line to standard error
 */
export const createSummary = ({ root, run, say }) => {
  /** @type {{ suite: string, seconds: number, tests: Told[] }[]} */
  const suites = []
  /** Parts that did not run, each with its reason. */
  const missing = []

  /** Runs a test runner and reads its report. */
  const collect = async (suite, report, node, args, read, { env = process.env, background = false } = {}) => {
    rmSync(report, { force: true })
    const start = Date.now()
    const code = await run(node, args, { env, background })
    const failure = title => ({ file: suite, title, outcome: 'failed', seconds: 0, lines: [] })
    const tests = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8')), root) : [failure(`${report} was not written`)]
    if (code !== 0 && !tests.some(({ outcome }) => outcome === 'failed')) tests.push(failure(`the runner ended with ${code}`))
    suites.push({ suite, seconds: (Date.now() - start) / 1000, tests })
  }

  /** Prints the summary. Sets the exit code to 1 if a test failed or none ran. */
  const close = () => {
    const all = suites.flatMap(({ tests }) => tests)
    const count = (tests, outcome) => tests.filter(test => test.outcome === outcome).length
    for (const { file, title, lines } of all.filter(({ outcome }) => outcome === 'failed'))
      say([`  Failed: ${file}: ${title}`, ...lines.map(line => `    ${line}`)].join('\n'))

    say('\n  What ran')
    for (const { suite, seconds, tests } of suites)
      say(`    ${suite}: ${count(tests, 'passed')} passed, ${count(tests, 'failed')} failed, in ${seconds.toFixed(0)} s`)
    const skipped = all.filter(({ outcome }) => outcome === 'skipped')
    say('  What was skipped')
    for (const what of missing) say(`    ${what}`)
    const reasons = skipped.map(test => ({ ...test, why: whySkipped(test, all) }))
    for (const why of new Set(reasons.map(({ why }) => why))) {
      const tests = reasons.filter(test => test.why === why)
      const files = [...new Set(tests.map(({ file }) => file.replace(/:\d+$/, '')))]
      say(`    ${tests.length} ${why}: ${files.join(', ')}`)
    }
    if (skipped.length + missing.length === 0) say('    nothing')
    say('  The slowest ten')
    for (const { file, title, seconds } of all.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
      say(`    ${seconds.toFixed(1).padStart(6)} s  ${file}: ${title}`)

    const failed = count(all, 'failed')
    process.stdout.write(`${count(all, 'passed')} passed, ${failed} failed, ${skipped.length} skipped\n`)
    process.exitCode = failed === 0 && all.length > 0 ? 0 : 1
  }

  return { collect, missing, close }
}
