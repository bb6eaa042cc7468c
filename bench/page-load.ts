import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { type Profile, type Served, type Visit, visit } from './page-visit.ts'

/** The measurements of one load. Times are in milliseconds since the navigation. */
export type Load = {
  paint: number | null
  largest: number | null
  visible: number | null
  usable: number | null
  hydrated: number | null
  /** Total time of long tasks beyond 50 ms each, counted from the navigation, because rendering scripts block before the first paint. */
  blocked: number
  /** CPU time of the main thread. */
  busy: number
  /** Bytes of the JavaScript heap after two garbage collections. */
  heap: number
  shift: number
  /** How often the page removed the text after it had arrived in the field. */
  wiped: number
  errors: string[]
}

/** The size of the compressed bodies and the number of requests. `first…` counts only requests before the load event. */
type Weight = { bytes: number; requests: number; firstBytes: number; firstRequests: number }

/** Properties that are the same in every load, so measured once. */
export type Look = Weight & { violations: string[]; errors: string[] }

const open = (browser: Browser, target: Served, profile: Profile) =>
  visit(browser, target, profile, {
    untilKept: true,
    onWanted: client => void client.send('Input.insertText', { text: 'a' }).catch(() => {}),
  })

/** Loads a target until the text stays in its field and the page is idle. */
export const load = async (browser: Browser, target: Served, profile: Profile): Promise<Load> => {
  const opened = await open(browser, target, profile)
  await opened.settle()
  const { paint, largest, visible, usable, hydrated, longTasks, shift, wiped } = await opened.look()
  const blocked = longTasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0)
  const { metrics } = await opened.client.send('Performance.getMetrics')
  const busy = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  const heap = await measureHeap(opened)
  await opened.close()
  return { paint, largest, visible, usable, hydrated, blocked, busy, heap, shift, wiped, errors: opened.errors }
}

const measureHeap = async ({ client }: Visit) => {
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await client.send('HeapProfiler.enable')
  await client.send('HeapProfiler.collectGarbage')
  await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}

/** Loads a target once, for its weight and its accessibility problems. */
export const lookAt = async (browser: Browser, target: Served): Promise<Look> => {
  const opened = await open(browser, target, 'fast')
  await opened.settle()
  const weight = await weigh(opened.page)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await new AxeBuilder({ page: opened.page }).withTags(tags).analyze()
  await opened.close()
  return { ...weight, violations: violations.map(({ id, nodes }) => `${id} x${nodes.length}`), errors: opened.errors }
}

const weigh = (page: Page): Promise<Weight> =>
  page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const own = resources.filter(({ name }) => name.startsWith(location.origin))
    const first = own.filter(({ startTime }) => startTime < (navigation?.loadEventStart ?? 0))
    const sum = (of: PerformanceResourceTiming[]) =>
      of.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, navigation?.encodedBodySize ?? 0)
    return { bytes: sum(own), requests: own.length + 1, firstBytes: sum(first), firstRequests: first.length + 1 }
  })
