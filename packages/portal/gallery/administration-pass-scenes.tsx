import type { AdministrationApi } from '../src/administration/administration-api.ts'
import { allPasses } from '../src/administration/route.ts'
import { page } from './administration-page.tsx'
import { longestPasses, noPasses, passList } from './administration-passes.ts'
import { answers, type Scene } from './scene.ts'
import { choose, click, fill, see } from './user-steps.ts'

const passes = (found: Partial<typeof passList> = {}): Partial<AdministrationApi> => ({ passes: answers({ ...passList, ...found }) })
/** The administration of passes in every state. */
export const passScenes: Scene[] = [
  { name: 'Passes', draw: () => page(allPasses, passes()), act: () => see('Nightly') },
  { name: 'Passes, the longest names', draw: () => page(allPasses, passes({ passes: longestPasses })), act: () => see('as long as') },
  { name: 'Passes, none, and no rule admits any', draw: () => page(allPasses, passes(noPasses)), act: () => see('No rule') },
  {
    name: 'Passes of a service',
    draw: () => page({ ...allPasses, service: 'prometheus' }, passes({ passes: passList.passes.slice(2) })),
    act: () => see('Passes of'),
  },
  {
    name: 'Create a pass, on a date, no service',
    draw: () => page(allPasses, passes()),
    act: async () => {
      await click('Create pass')
      await see('Create a pass for a service')
      await choose('Ends', 'date')
      await click('Create pass')
      await see('Enter lower-case')
    },
  },
  {
    name: 'Create a pass, shown once',
    draw: () => page(allPasses, { ...passes(), addPass: answers({ pass: `gh_pass_${'Zx8v0nD1kq'.repeat(7)}abc` }) }),
    act: async () => {
      await click('Create pass')
      await see('Create a pass for a service')
      await fill('Service', 'prometheus')
      await fill('Name', 'Scraper')
      await click('Create pass')
      await see('Copy the pass')
    },
  },
  {
    name: 'End all passes of a user',
    draw: () => page({ ...allPasses, userId: 'u_1' }, passes({ passes: passList.passes.slice(0, 1) })),
    act: () => click('End all passes'),
  },
]
