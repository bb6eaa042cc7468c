// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { englishFirstLoad } from '../messages/en-first-load.ts'
import { LoadingPage } from './loading.tsx'

afterEach(cleanup)

it('announces that the next page is loading, and after a failure offers a retry and a way back', async () => {
  const [retry, back] = [vi.fn(), vi.fn()]
  const page = (failed: boolean) => <LoadingPage messages={englishFirstLoad} failed={failed} retry={retry} back={back} />
  const { rerender } = render(page(false))
  const region = screen.getByRole('alert')
  expect([region.textContent, document.activeElement?.textContent]).toEqual(['', 'Loading'])

  rerender(page(true))
  expect(region.textContent).toBe('Something went wrongCouldn’t load the next step. Check your connection and try again.')
  expect(screen.getByRole('heading').textContent).toBe('Something went wrong')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Try again' }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await userEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
  expect([retry, back].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})
