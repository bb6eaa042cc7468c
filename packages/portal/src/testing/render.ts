import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, vi } from 'vitest'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const roots: { unmount: () => void }[] = []

/** Renders a page into the document and waits for its effects. */
export const draw = async (page: ReactNode) => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  roots.push(root)
  await act(async () => root.render(page))
  return place
}

afterEach(() => {
  act(() => {
    for (const root of roots.splice(0)) root.unmount()
  })
  document.body.replaceChildren()
})

export const heading = () => document.querySelector('h1')?.textContent
/** The text of the newest toast. Waits for the code of toasts, which loads when it is first needed. */
export const toasted = async () => {
  // The first toast loads this module, which takes longer than the wait below on a busy machine.
  await import('@gatehouse/ui/toasts/toaster.tsx')
  // `act` would delay the updates that the toasts make.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  try {
    return await vi.waitFor(() => {
      const told = [...document.querySelectorAll('.gatehouse-toast')].at(-1)?.textContent
      if (told === undefined) throw new Error('no toast')
      return told
    })
  } finally {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  }
}

export const alerts = () => [...document.querySelectorAll('[role=alert]')].map(alert => alert.textContent).join('')

/** The button or link with this text. */
export const button = (name: string) => {
  const found = [...document.querySelectorAll<HTMLElement>('button, a')].find(({ textContent }) => textContent === name)
  if (!found) throw new Error(`no button '${name}'`)
  return found
}

/** Presses a button several times in one frame. */
export const press = (name: string, times = 1) =>
  act(async () => {
    const found = button(name)
    for (let i = 0; i < times; i++) found.click()
  })

export const field = (name: string) => {
  const found = document.querySelector<HTMLInputElement>(`input[name=${name}]`)
  if (!found) throw new Error(`no field '${name}'`)
  return found
}

export const errorOf = (input: HTMLInputElement) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent

/** Restores the page from the browser's back/forward cache. */
export const restore = () => act(async () => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
