// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { watchConsole } from '../testing/watch-console.ts'
import type { ToastDefaults, ToastKind, ToastPosition, ToastTransition } from './toast.ts'
import { type Toasts, useToasts } from './use-toasts.tsx'

watchConsole()
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

const mount = (defaults?: ToastDefaults) => {
  let toasts: Toasts | undefined
  const Host = () => {
    toasts = useToasts({ region: 'Notifications', close: 'Close' }, defaults)
    return toasts.outlet
  }
  const view = render(<Host />)
  if (!toasts) throw new Error('no toasts')
  return { ...toasts, ...view }
}
const shown = () => [...document.querySelectorAll<HTMLElement>('.gatehouse-toast')]
const titles = () => shown().map(toast => toast.querySelector('.gatehouse-toast-title')?.textContent)
const show = async (toasts: Toasts, ...list: Parameters<Toasts['show']>[0][]) => {
  await act(async () => {
    for (const toast of list) expect(await toasts.show(toast)).toBe(true)
  })
}

describe('kinds of toasts', () => {
  const kinds: [ToastKind, string, string][] = [
    ['info', 'Toastify__toast--info', 'status'],
    ['success', 'Toastify__toast--success', 'status'],
    ['warning', 'Toastify__toast--warning', 'alert'],
    ['error', 'Toastify__toast--error', 'alert'],
    ['default', 'Toastify__toast--default', 'status'],
    ['dark', 'Toastify__toast-theme--dark', 'status'],
    ['loading', 'Toastify__toast--default', 'status'],
  ]
  it.each(kinds)('shows a toast of kind %s with the class and role of that kind', async (kind, className, role) => {
    const toasts = mount()
    await show(toasts, { kind, title: 'Hello', text: 'World' })
    const [toast] = shown()
    expect(toast?.classList).toContain(className)
    expect(toast?.getAttribute('role')).toBe(role)
    expect(toast?.textContent).toBe('HelloWorld')
    expect(toast?.querySelector('[class*=spinner]') !== null).toBe(kind === 'loading')
    expect(screen.getByRole('region', { name: /Notifications/ })).toBeTruthy()
  })
})

describe('positions and transitions', () => {
  const positions: ToastPosition[] = ['top-right', 'top-center', 'top-left', 'bottom-right', 'bottom-center', 'bottom-left']
  it.each(positions)('applies %s to one toast, and to all as the default', async position => {
    const one = mount()
    await show(one, { kind: 'info', title: 'one', position })
    expect(document.querySelector(`.Toastify__toast-container--${position}`)?.textContent).toContain('one')
    one.unmount()
    await show(mount({ position }), { kind: 'info', title: 'all' })
    expect(document.querySelector(`.Toastify__toast-container--${position}`)?.textContent).toContain('all')
  })

  const transitions: ToastTransition[] = ['bounce', 'slide', 'zoom', 'flip']
  it.each(transitions)('applies %s to one toast, and to all as the default', async transition => {
    const one = mount()
    await show(one, { kind: 'info', title: 'one', transition })
    expect(shown()[0]?.className).toContain(`Toastify__${transition}-enter`)
    one.unmount()
    await show(mount({ transition }), { kind: 'info', title: 'all' })
    expect(shown()[0]?.className).toContain(`Toastify__${transition}-enter`)
  })

  it('defaults to top-right and a fade', async () => {
    await show(mount(), { kind: 'info', title: 'Hello' })
    expect(document.querySelector('.Toastify__toast-container--top-right')).toBeTruthy()
    expect(shown()[0]?.className).toContain('gatehouse-toast-enter')
  })
})

/** The hidden progress bar is the timer of a toast that closes automatically. */
const closeTimer = () => {
  const bar = document.querySelector<HTMLElement>('.Toastify__progress-bar')
  return bar?.style.animationDuration || undefined
}

describe('closing', () => {
  it('closes success toasts after 15 seconds, and no other kind automatically', async () => {
    await show(mount(), { kind: 'success', title: 'Saved' })
    expect(closeTimer()).toBe('15000ms')
    cleanup()
    for (const kind of ['info', 'warning', 'error', 'default', 'dark', 'loading'] as const) {
      await show(mount(), { kind, title: 'Hello' })
      expect(closeTimer()).toBeUndefined()
      cleanup()
    }
  })

  it('closes after the given time, or not automatically if the time is false', async () => {
    await show(mount(), { kind: 'info', title: 'Hello', closeAfterMs: 3000 })
    expect(closeTimer()).toBe('3000ms')
    cleanup()
    await show(mount(), { kind: 'success', title: 'Hello', closeAfterMs: false })
    expect(closeTimer()).toBeUndefined()
  })

  it('closes by the close button and by dismiss', async () => {
    const toasts = mount()
    await show(
      toasts,
      { kind: 'error', title: 'one', id: 'one' },
      { kind: 'error', title: 'two', id: 'two' },
      { kind: 'error', title: 'three' },
    )
    const left = () => shown().filter(toast => !toast.className.includes('exit'))
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[2] as HTMLElement)
    await waitFor(() => expect(left()).toHaveLength(2))
    act(() => toasts.dismiss('one'))
    await waitFor(() => expect(left().map(toast => toast.textContent)).toEqual(['two']))
    act(() => toasts.dismiss())
    await waitFor(() => expect(left()).toHaveLength(0))
  })
})

describe('the content of a toast', () => {
  it('keeps details collapsed at first', async () => {
    await show(mount(), { kind: 'error', title: 'Hello', more: { label: 'More Info', detail: 'POST /x' } })
    const details = screen.getByText('More Info').closest('details')
    expect(details?.open).toBe(false)
    expect(details?.textContent).toContain('POST /x')
  })

  it('shows one toast for each error of a list', async () => {
    const toasts = mount()
    await act(async () => {
      expect(await toasts.showErrors(['first', { title: 'second', text: 'more' }])).toBe(true)
    })
    expect(titles()).toEqual(['first', 'second'])
    expect(shown().every(toast => toast.classList.contains('Toastify__toast--error'))).toBe(true)
  })
})

describe('a toast with an ID', () => {
  it('updates a visible toast, even to another kind', async () => {
    const toasts = mount()
    await show(toasts, { kind: 'loading', title: 'Saving', id: 'save' })
    await show(toasts, { kind: 'success', title: 'Saved', id: 'save' })
    await waitFor(() => expect(titles()).toEqual(['Saved']))
    expect(shown()[0]?.classList).toContain('Toastify__toast--success')
    expect(closeTimer()).toBe('15000ms')
  })

  it('shows a new toast while the old one closes, and updates and closes the new one', async () => {
    const toasts = mount()
    const staying = () => shown().filter(toast => !toast.className.includes('exit'))
    await show(toasts, { kind: 'error', title: 'once', id: 'x' })
    act(() => toasts.dismiss('x'))
    await show(toasts, { kind: 'error', title: 'twice', id: 'x' })
    await waitFor(() => expect(staying().map(toast => toast.textContent)).toEqual(['twice']))
    await show(toasts, { kind: 'error', title: 'thrice', id: 'x' })
    await waitFor(() => expect(staying().map(toast => toast.textContent)).toEqual(['thrice']))
    act(() => toasts.dismiss('x'))
    await waitFor(() => expect(staying()).toEqual([]))
  })

  it('shows a new toast after the old one has closed', async () => {
    const toasts = mount()
    await show(toasts, { kind: 'error', title: 'once', id: 'x' })
    act(() => toasts.dismiss('x'))
    await waitFor(() => expect(shown().every(toast => toast.className.includes('exit'))).toBe(true))
    for (const toast of shown()) fireEvent.animationEnd(toast)
    await waitFor(() => expect(shown()).toHaveLength(0))
    await show(toasts, { kind: 'error', title: 'twice', id: 'x' })
    expect(titles()).toEqual(['twice'])
  })

  it('does not replace toasts with another ID or none', async () => {
    await show(mount(), { kind: 'error', title: 'a', id: 'a' }, { kind: 'error', title: 'b', id: 'b' }, { kind: 'error', title: 'c' })
    expect(titles()).toEqual(['a', 'b', 'c'])
  })
})

describe('two hooks on one page', () => {
  it('keep their toasts separate, even with the same ID', async () => {
    const [left, right] = [mount({ position: 'top-left' }), mount({ position: 'bottom-right' })]
    await show(left, { kind: 'info', title: 'left', id: 'same' })
    await show(right, { kind: 'info', title: 'right', id: 'same' })
    expect(titles().sort()).toEqual(['left', 'right'])
    expect(document.querySelector('.Toastify__toast-container--bottom-right')?.textContent).toBe('right')
  })
})

describe('a toast whose code is still loading', () => {
  it('does not appear if it is dismissed meanwhile', async () => {
    const toasts = mount()
    await act(async () => {
      const all = [toasts.show({ kind: 'info', title: 'one', id: 'one' }), toasts.show({ kind: 'info', title: 'other', id: 'other' })]
      toasts.dismiss('one')
      await Promise.all(all)
    })
    expect(titles()).toEqual(['other'])
    cleanup()
    const late = mount()
    await act(async () => {
      const coming = late.show({ kind: 'info', title: 'late' })
      late.dismiss()
      expect(await coming).toBe(true)
    })
    expect(titles()).toEqual([])
  })
})

describe('after unmount', () => {
  it('shows nothing and returns false', async () => {
    const toasts = mount()
    toasts.unmount()
    expect(await toasts.show({ kind: 'info', title: 'late' })).toBe(false)
    expect(shown()).toEqual([])
  })
})
