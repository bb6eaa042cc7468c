import type { BrowserContext, Page } from '@playwright/test'
import { axeOn } from './axe.ts'
import { expect } from './gatehouse.ts'

export const withGoogle = (page: Page) => page.getByRole('link', { name: 'Sign in with Google' })
export const withMicrosoft = (page: Page) => page.getByRole('link', { name: 'Sign in with Microsoft' })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
export const isIn = (page: Page, who: string) => expect(page.getByText('Signed in as')).toContainText(who)
export const sessionOf = async (context: BrowserContext) => (await context.cookies()).find(({ name }) => name === 'gatehouse-session')

/** Expects an error page of Gatehouse with this title: accessible, and without a session. */
export const isRefused = async (page: Page, title: string | RegExp) => {
  await expect(heading(page, title)).toBeVisible()
  expect((await (await axeOn(page)).analyze()).violations).toEqual([])
  expect(await sessionOf(page.context())).toBeUndefined()
}

/** Expects only the lines that Chromium logs for a 4xx status. */
export const expectOnlyStatuses = (lines: string[]) => {
  for (const line of lines.splice(0)) expect(line).toMatch(/Failed to load resource: the server responded with a status of 4\d\d/)
}
