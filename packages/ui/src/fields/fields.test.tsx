// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DebouncedField } from './debounced-field.tsx'
import { PasswordField } from './password-field.tsx'

afterEach(cleanup)
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

describe('PasswordField (§5)', () => {
  it('has a toggle only if it gets labels, and the toggle shows and hides the password', () => {
    const { rerender } = render(<PasswordField label="Password" />)
    expect(input('Password').type).toBe('password')
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<PasswordField label="Password" toggle={{ show: 'Show', hide: 'Hide' }} />)
    fireEvent.click(screen.getByRole('button', { name: 'Show' }))
    expect(input('Password').type).toBe('text')
    fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
    expect(input('Password').type).toBe('password')
  })

  it('shows a caption beside the label only if it gets one', () => {
    const { rerender } = render(<PasswordField label="New password" />)
    expect(screen.queryByText('Optional')).toBeNull()
    rerender(<PasswordField label="New password" caption="Optional" />)
    expect(input('New password Optional').type).toBe('password')
  })
})

describe('DebouncedField (§9)', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const mount = (delayMs?: number) => {
    const settled = vi.fn()
    const view = render(<DebouncedField label="Search" onSettled={settled} {...(delayMs !== undefined && { delayMs })} />)
    return { settled, ...view }
  }
  const type = (value: string) => fireEvent.input(input('Search'), { target: { value } })
  const after = (ms: number) => act(() => vi.advanceTimersByTime(ms))

  it.each([
    [undefined, 300],
    [1000, 1000],
  ])('with a delay of %s reports once, %i ms after the last key', (delayMs, wait) => {
    const { settled } = mount(delayMs)
    type('a')
    after(wait - 1)
    type('ab')
    after(wait - 1)
    expect(settled).not.toHaveBeenCalled()
    after(1)
    expect(settled.mock.calls).toEqual([['ab']])
    after(10_000)
    expect(settled).toHaveBeenCalledTimes(1)
  })

  it('reports immediately on blur and Enter, and not again', () => {
    const { settled } = mount()
    type('a')
    fireEvent.blur(input('Search'))
    type('ab')
    fireEvent.keyDown(input('Search'), { key: 'Enter' })
    after(1000)
    expect(settled.mock.calls).toEqual([['a'], ['ab']])
  })

  it('reports nothing after it is unmounted', () => {
    const { settled, unmount } = mount()
    type('a')
    unmount()
    after(1000)
    expect(settled).not.toHaveBeenCalled()
  })
})
