// `npm run bench -- page`: measures the first load of our sign-in page, compared with bare forms and other widgets.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from '@playwright/test'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { load as busyness, machine } from './machine.ts'
import { load, lookAt } from './page-load.ts'
import { buildPeer } from './page-peers.ts'
import { bars, gates, report } from './page-report.ts'
import { keepResults, keptResults, type Run } from './page-results.ts'
import { type Site, serveSites } from './page-server.ts'
import { baseline, floor, ours, previous, strictFloor, type Target, targets } from './page-targets.ts'
import { typeThrough } from './page-typing.ts'
import { openBrowser, type Profile, profiles, type Served } from './page-visit.ts'
import { writeChart, writePart } from './performance-doc.ts'
import { checkout, createData, startServer } from './server.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => process.stderr.write(`  ${line}\n`)

const usage = `Usage: npm run bench -- page [--only ours,floor-static,…] [--runs 7] [--modes slow,fast] [--previous FOLDER] [--kept] [--write]
  targets: ${targets.map(({ name }) => name).join(', ')}`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      runs: { type: 'string', default: '7' },
      modes: { type: 'string', default: 'slow,fast' },
      previous: { type: 'string' },
      kept: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const only = values.only?.split(',')
  const modes = values.modes.split(',')
  const isProfile = (mode: string): mode is Profile => Object.hasOwn(profiles, mode)
  const known = only?.every(name => targets.some(target => target.name === name)) ?? true
  const runs = Number(values.runs)
  if (!known || !(runs >= 1) || !modes.every(isProfile)) throw new Error(usage)
  const isWanted = (name: string) => (name === previous ? values.previous !== undefined : (only?.includes(name) ?? true))
  const wanted = targets.filter(({ name }) => isWanted(name))
  return { wanted, runs, modes, previousFolder: values.previous, kept: values.kept, writes: values.write }
}

/** Our server's security headers, except the Content-Security-Policy: it would block the bare form's inline styles. */
const strictHeaders = async (origin: string) => {
  const { headers } = await fetch(origin)
  return Object.fromEntries(
    [...headers].filter(([name]) => /^(cross-origin|origin-agent|referrer|strict-transport|x-(?!request))/.test(name)),
  )
}

/** Prepares a target for the server. Reports and omits a peer that does not install or build. */
const prepare = async (
  target: Target,
  ourOrigin: string | undefined,
  previousFolder: string | undefined,
): Promise<{ target: Target; site: Site; packages: number } | undefined> => {
  const port = await freePort()
  if (target.name === strictFloor) {
    if (!ourOrigin) return undefined
    return { target, site: { port, ...buildPeer(floor), headers: await strictHeaders(ourOrigin) }, packages: 0 }
  }
  if (target.name === ours || target.name === previous) {
    const data = await createData('sqlite')
    // The public URL is that of the page server, which adds nothing to our server's responses.
    const from = target.name === previous && previousFolder ? resolve(previousFolder) : checkout
    const server = await startServer(data, { GATEHOUSE_PUBLIC_URL: `https://localhost:${port}` }, from)
    // The widget and React with its dependencies. Everything else is bundled.
    const packages = 1 + buildPeer(baseline).packages
    return { target, site: { port, origin: `http://127.0.0.1:${server.port}` }, packages }
  }
  try {
    const { packages, ...site } = buildPeer(target.name)
    return { target, site: { port, ...site }, packages }
  } catch (error) {
    log(`${target.name} is omitted: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Loads the targets in alternating order, so that none always follows the same one. */
const interleave = async <T>(of: readonly Served[], rounds: number, measure: (target: Served) => Promise<T>) => {
  const kept: Record<string, T[]> = Object.fromEntries(of.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const target of round % 2 ? of.toReversed() : of) kept[target.name]?.push(await measure(target))
  return kept
}

/** The number of loads with typing, for our page and the bare forms. Three are enough: lost characters are counted, not timed. */
const typedLoads = 3

/**
 * On the slow profile, our page and the bare forms load this many times as often as the others. The limits are ratios between them. The
 * median of seven ratios varied by 0.05 between runs, and in three runs the median of 21 was between 1.10 and 1.19.
 */
const timesAsOften = 6

const measure = async (browser: Browser, profile: Profile, served: readonly Served[], looks: Run['looks'], rounds: number) => {
  const on = `${machine()}; Chromium ${browser.version()}`
  const bare = served.filter(({ name }) => name === ours || /^(floor|baseline)-/.test(name))
  await interleave(served, 1, target => load(browser, target, profile))
  const loads = await interleave(served, rounds, target => load(browser, target, profile))
  if (profile === 'slow') {
    const more = await interleave(bare, rounds * (timesAsOften - 1), target => load(browser, target, profile))
    for (const [name, further] of Object.entries(more)) loads[name]?.push(...further)
  }
  const measured: Run = { at: new Date().toISOString(), machine: on, rounds, looks, loads, typing: {} }
  keepResults({ ...keptResults(), [profile]: measured })
  if (profile !== 'slow') return
  const typing = await interleave(bare, typedLoads, target => typeThrough(browser, target))
  keepResults({ ...keptResults(), [profile]: { ...measured, typing } })
}

const run = async ({ wanted, runs, modes, previousFolder }: ReturnType<typeof readArguments>) => {
  const prepared: NonNullable<Awaited<ReturnType<typeof prepare>>>[] = []
  for (const target of wanted) {
    const [first] = prepared
    const one = await prepare(target, first && 'origin' in first.site ? first.site.origin : undefined, previousFolder)
    if (one) prepared.push(one)
  }
  const elsewhere = { port: await freePort(), ...buildPeer(floor) }
  const server = await serveSites([...prepared.map(({ site }) => site), elsewhere])
  const browser = await openBrowser()
  try {
    const looks: Run['looks'] = {}
    const served: Served[] = []
    for (const { target, site, packages } of prepared) {
      const here = { ...target, url: `https://localhost:${site.port}/`, elsewhere: `https://127.0.0.1:${elsewhere.port}/` }
      try {
        const look = await lookAt(browser, here)
        looks[target.name] = { ...look, packages }
        if (target.name === ours) for (const error of look.errors) log(`Error on our page: ${error}`)
        served.push(here)
      } catch (error) {
        log(`${target.name} is omitted: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    for (const mode of modes) {
      log(`${mode}: ${served.length} targets, ${runs} rounds`)
      await measure(browser, mode, served, looks, runs)
    }
  } finally {
    await browser.close()
    server.stop()
  }
}

try {
  const wanted = readArguments()
  if (!wanted.kept) await run(wanted)
  const results = keptResults()
  const text = report(results)
  print(`${text}\n\nLoad at the end: ${busyness()}`)
  for (const error of new Set(Object.values(results).flatMap(({ loads }) => (loads[ours] ?? []).flatMap(one => one.errors)))) log(error)
  if (wanted.writes && results.slow) {
    writeChart('page', 'Time until the sign-in page is usable, on a slow phone', bars(results.slow))
    writePart(
      'page',
      `${text}\n\nTo repeat: \`npm run bench -- page --write\`.\n\n![Time until the sign-in page is usable](performance-page.svg)`,
    )
  }
  process.exit(results.slow?.loads[ours] && gates(results.slow).some(({ holds }) => !holds) ? 2 : 0)
} catch (error) {
  log(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
