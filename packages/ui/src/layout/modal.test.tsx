// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Modal } from './modal.tsx'

// jsdom does not implement dialogs. e2e/parts.spec.ts tests the browser's part.
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = vi.fn(function (this: HTMLDialogElement) {
    this.open = true
  })
  HTMLDialogElement.prototype.close = vi.fn(function (this: HTMLDialogElement) {
    this.open = false
  })
})
afterEach(cleanup)

const page = (open: boolean, onClose: () => void) => (
  <>
    <button type="button">Before</button>
    <Modal open={open} onClose={onClose} title="Delete" close="Close">
      <button type="button">First</button>
      <button type="button" disabled>
        Off
      </button>
      <button type="button">Last</button>
    </Modal>
  </>
)
const mount = () => {
  const onClose = vi.fn()
  const view = render(page(false, onClose))
  screen.getByText('Before').focus()
  return { onClose, show: (open: boolean) => view.rerender(page(open, onClose)), ...view }
}
const button = (name: string) => screen.getByRole('button', { name })

describe('Modal (§9)', () => {
  it('renders only while open, opens as a modal dialog, and is named by its title', () => {
    const { show } = mount()
    expect(screen.queryByRole('dialog')).toBeNull()
    show(true)
    expect(screen.getByRole('dialog', { name: 'Delete' })).toBeTruthy()
    expect(HTMLDialogElement.prototype.showModal).toHaveBeenCalledTimes(1)
    show(false)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('asks to close on Escape, the close button and a click outside, but not on a click inside', () => {
    const { onClose, show } = mount()
    show(true)
    const dialog = screen.getByRole('dialog')
    expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false)
    fireEvent.click(button('Close'))
    fireEvent.mouseDown(dialog)
    expect(onClose).toHaveBeenCalledTimes(3)
    fireEvent.mouseDown(screen.getByText('Delete'))
    expect(onClose).toHaveBeenCalledTimes(3)
  })

  it('stays open when StrictMode runs its effect twice, and reports when the browser closes it', async () => {
    vi.mocked(HTMLDialogElement.prototype.close).mockImplementation(function (this: HTMLDialogElement) {
      this.open = false
      // Browsers dispatch the event later.
      setTimeout(() => this.dispatchEvent(new Event('close')))
    })
    const onClose = vi.fn()
    render(page(true, onClose), { reactStrictMode: true })
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(HTMLDialogElement.prototype.close).toHaveBeenCalledTimes(1)
    expect(onClose).not.toHaveBeenCalled()
    screen.getByRole<HTMLDialogElement>('dialog').close()
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('wraps the focus from the last element to the first and back', () => {
    const { show } = mount()
    show(true)
    button('Last').focus()
    fireEvent.keyDown(button('Last'), { key: 'Tab' })
    expect(document.activeElement).toBe(button('Close'))
    fireEvent.keyDown(button('Close'), { key: 'Tab', shiftKey: true })
    expect(document.activeElement).toBe(button('Last'))
    button('First').focus()
    expect(fireEvent.keyDown(button('First'), { key: 'Tab' })).toBe(true)
  })

  it('returns the focus when it closes, and lets the page scroll again when it closes or unmounts', () => {
    const { show, unmount } = mount()
    const root = document.documentElement
    show(true)
    expect(root.dataset.gatehouseModals).toBe('1')
    button('First').focus()
    show(false)
    expect(document.activeElement).toBe(button('Before'))
    expect(root.dataset.gatehouseModals).toBeUndefined()
    show(true)
    unmount()
    expect(root.dataset.gatehouseModals).toBeUndefined()
  })
})
