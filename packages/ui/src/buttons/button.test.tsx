// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Button } from './button.tsx'

afterEach(cleanup)

it('a button that has the focus again while Enter is still held down is not pressed again', () => {
  render(<Button>Send</Button>)
  const button = screen.getByRole('button', { name: 'Send' })
  // A browser presses a button by itself unless the key press is prevented.
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false)
  expect(fireEvent.keyDown(button, { key: 'Tab', repeat: true })).toBe(true)
})
