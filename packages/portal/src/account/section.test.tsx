// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { draw } from '../testing/render.ts'
import { NewsContext, Section } from './section.tsx'

const drawn = (isShown: boolean, news?: string) => {
  const tell = vi.fn(async () => isShown)
  const place = (
    <NewsContext value={tell}>
      <Section id="sessions" title="Sessions" news={news}>
        Rows
      </Section>
    </NewsContext>
  )
  return { tell, place }
}
const status = () => document.querySelector('[role=status]')?.textContent

it('tells once what an action did, in a toast', async () => {
  const { tell, place } = drawn(true, 'Session ended.')
  await draw(place)
  expect(tell.mock.calls).toEqual([['sessions', 'Session ended.']])
  expect(status()).toBe('')
})

it('shows it in the section if the toasts’ code does not load', async () => {
  await draw(drawn(false, 'Session ended.').place)
  await act(async () => {})
  expect(status()).toBe('Session ended.')
})

it('says nothing without news', async () => {
  const { tell, place } = drawn(true)
  await draw(place)
  expect([tell.mock.calls, status()]).toEqual([[], ''])
})
