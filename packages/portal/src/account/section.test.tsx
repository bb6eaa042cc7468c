// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { draw } from '../testing/render.ts'
import { MessageContext, Section } from './section.tsx'

const drawn = (wasShown: boolean, message?: string) => {
  const show = vi.fn(async () => wasShown)
  const place = (
    <MessageContext value={show}>
      <Section id="sessions" title="Sessions" message={message}>
        Rows
      </Section>
    </MessageContext>
  )
  return { show, place }
}
const status = () => document.querySelector('[role=status]')?.textContent

it('shows the message of an action once, in a toast', async () => {
  const { show, place } = drawn(true, 'Session ended.')
  await draw(place)
  expect(show.mock.calls).toEqual([['sessions', 'Session ended.']])
  expect(status()).toBe('')
})

it('shows the message in the section if the toasts’ code does not load', async () => {
  await draw(drawn(false, 'Session ended.').place)
  await act(async () => {})
  expect(status()).toBe('Session ended.')
})

it('shows nothing without a message', async () => {
  const { show, place } = drawn(true)
  await draw(place)
  expect([show.mock.calls, status()]).toEqual([[], ''])
})
