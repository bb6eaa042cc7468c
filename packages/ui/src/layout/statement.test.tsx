// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { Title } from './statement.tsx'

afterEach(cleanup)

describe('Title', () => {
  const page = (
    <>
      <input aria-label="Email" />
      <Title focused>Forgot password</Title>
    </>
  )
  const takeOver = async (before: (element: HTMLElement) => void) => {
    const element = document.body.appendChild(document.createElement('div'))
    element.innerHTML = renderToString(page)
    before(element)
    const root = await act(async () => hydrateRoot(element, page))
    return { root, element }
  }

  it('takes the focus from the button that opened the page', () => {
    const view = render(<button type="button">Go on</button>)
    screen.getByRole('button').focus()
    view.rerender(
      <>
        <button type="button">Go on</button>
        <Title focused>Users</Title>
      </>,
    )
    expect(document.activeElement).toBe(screen.getByRole('heading'))
  })

  it('takes the focus on a server-rendered page, unless the user is already typing', async () => {
    const one = await takeOver(() => {})
    expect(document.activeElement).toBe(one.element.querySelector('h1'))
    const other = await takeOver(element => element.querySelector('input')?.focus())
    expect(document.activeElement).toBe(other.element.querySelector('input'))
    for (const { root, element } of [one, other]) {
      act(() => root.unmount())
      element.remove()
    }
  })
})
