// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { cleanup, render } from '@testing-library/react'
import type * as React from 'react'
import { StrictMode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

// e2e/embedding.spec.ts tests a page with the real React 18.
const old = vi.hoisted(() => ({ version: '18.3.1' }))
vi.mock('react', async original => ({ ...(await original<typeof React>()), version: old.version }))

const written = watchConsole()
afterEach(cleanup)
const sentence = 'sign-in needs React 19 or later, but this page uses React 18.3.1; sign-in is not mounted'

describe('on a page with React 18', () => {
  it('<SignIn /> logs the requirement once and renders nothing', async () => {
    const { SignIn } = await import('./sign-in.tsx')
    const { container, rerender } = render(<SignIn />, { wrapper: StrictMode })
    rerender(
      <>
        <SignIn />
        <SignIn />
      </>,
    )
    expect(container.innerHTML).toBe('')
    expect(written.lines()).toEqual([`Gatehouse: ${sentence}`])
  })

  it('mountSignIn logs and reports the requirement, and does not change the element', async () => {
    const { mountSignIn } = await import('./mount.tsx')
    const element = document.createElement('div')
    element.append('Loading')
    const onMountFailed = vi.fn()
    const unmount = mountSignIn(element, { onMountFailed })
    expect(onMountFailed.mock.calls).toEqual([[sentence]])
    expect(element.innerHTML).toBe('Loading')
    expect(written.lines()).toEqual([`Gatehouse: ${sentence}`])
    expect(unmount).not.toThrow()
  })
})
