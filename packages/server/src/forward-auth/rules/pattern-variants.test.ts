import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { exampleOf, variantsOf } from './pattern-variants.ts'
import { readTarget } from './target.ts'

const origin = 'https://a.example.com'
const patternOf = (text: string) => {
  const target = readTarget(origin + text)
  if ('problem' in target || !target.path) throw new Error(`no pattern: ${text}`)
  return target.path
}

/** Patterns that a long path makes slow, and what is wrong. */
const slow: [string, string][] = [
  ['/:a-:b-:c', 'two of * and :name in one segment'],
  ['/:a-*', 'two of * and :name in one segment'],
  ['/*-:b', 'two of * and :name in one segment'],
  ['/:a{/}?:b', 'two of * and :name in one segment'],
  ['/x*y*', 'two of * and :name in one segment'],
  ['/:a{.:ext}?', 'two of * and :name in one segment'],
  ['/a/*-*/*-*/edit', 'one * besides one at its end'],
  ['/a/*-*-*/edit', 'one * besides one at its end'],
  ['/*a*a*a*a*b', 'one * besides one at its end'],
  ['/files/*/reports/*/export', 'one * besides one at its end'],
  ['/((?:a+)+)b', 'only words in parentheses'],
  ['/(a*a*a*b)', 'only words in parentheses'],
  ['/(.*)', 'only words in parentheses'],
  ['/v(\\d+)/x', 'only words in parentheses'],
  ['/:id(\\w+)/x', 'only words in parentheses'],
  ['/(a.b|c)', 'only words in parentheses'],
  ['/(a|)', 'only words in parentheses'],
  ['/x/**', 'must not repeat'],
  ['/x/:a*', 'must not repeat'],
  ['/x/:a+', 'must not repeat'],
  ['/x{a}+b', 'must not repeat'],
  ['/x{a}*b', 'must not repeat'],
  ['/(a|b)+', 'must not repeat'],
  [`/${'{a}?'.repeat(7)}b`, 'more than 64 variants'],
  ['/(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)', 'more than 64 variants'],
  [`/${'a'.repeat(limits.rules.patternMost)}`, 'more than 512 characters'],
]

test.each(slow)('refuses %s: %s', (text, problem) => {
  expect(readTarget(origin + text)).toEqual({ problem: expect.stringContaining(problem), part: 'Pattern' })
})

test.each([
  ['/x{/*}?', ['/x/x', '/x']],
  ['/-/(quit|reload)', ['/-/quit', '/-/reload']],
  ['/x/:page?/y', ['/x/x/y', '/x/y']],
  ['/x/:kind(a|b)/y', ['/x/a/y', '/x/b/y']],
  ['/x/(a\\.b|c)?/y', ['/x/a.b/y', '/x/c/y', '/x/y']],
  ['/*.php/*', ['/x.php/x']],
  ['/{:team/}?x', ['/x/x', '/x']],
  ['/:a/b/:c/*', ['/x/b/x/x']],
])('%s has these variants: %j', (text, examples) => {
  const variants = variantsOf(text)
  expect('problem' in variants ? variants : variants.map(exampleOf)).toEqual(examples)
  for (const path of examples) expect([path, patternOf(text).fits(path)]).toEqual([path, true])
})

/** Patterns that come as close to a slow one as the checks allow. */
const accepted = [
  '/x/*',
  '/a/*/edit',
  '/*a/*',
  '/*.php/*',
  '/a/*-/*',
  '/:a/:b/edit',
  '/*/:b/:c/edit',
  '/a{-b}?{-c}?{-d}?{-e}?{-f}?{-g}?/:h',
  '/a/(a|aa)(a|aa)(a|aa)(a|aa)(a|aa)(a|aa)b',
  '/*/a{-}?{-}?{-}?{-}?{-}?/b',
  `/*${'a'.repeat(30)}b`,
  '/:a.b.c.d',
]
const pieces = ['a', '-', '.b', '/', 'a-', '/a', '-/', '/a-', 'a/edit/', '.php']

test('matching a path that is 16 times as long takes less than 64 times as long', { timeout: 120_000 }, () => {
  // A pattern with two wildcards in one segment takes 256 times as long. The thread's CPU time excludes other processes, which interrupt
  // a long run but not a short one.
  const cpuTime = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const shortest = (run: () => void) =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const start = cpuTime()
        run()
        return cpuTime() - start
      }),
    )
  // Many patterns reject a path at its first letters, faster than the clock can measure. A pattern with two wildcards in one segment
  // takes seconds.
  const clockStep = 0.1
  const timesOf = (fits: (path: string) => boolean) =>
    pieces.map(piece => {
      const [short, long] = [20_000, 320_000].map(length => `/a/${piece.repeat(length / piece.length)}!`)
      const ofShort = Math.max(
        clockStep,
        shortest(() => fits(short ?? '')),
      )
      return shortest(() => fits(long ?? '')) / ofShort
    })
  for (const text of accepted)
    expect([text, Math.max(...timesOf(patternOf(text).fits))]).toEqual([text, expect.toSatisfy(times => Number(times) < 64)])
})
