// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Button } from './button.tsx'

afterEach(cleanup)

it('does not press a button again while Enter is held down', () => {
  render(<Button>Send</Button>)
  const button = screen.getByRole('button', { name: 'Send' })
  // Browsers click a focused button on Enter unless a handler prevents the default.
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false)
  expect(fireEvent.keyDown(button, { key: 'Tab', repeat: true })).toBe(true)
})
