// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, cleanup, render } from '@testing-library/react'
import { StrictMode, useEffect, useRef } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MountOptions, mountSignIn } from './mount.tsx'
import { SignIn } from './sign-in.tsx'

const written = watchConsole()
let unmount = () => {}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  act(unmount)
  vi.useRealTimers()
  document.body.replaceChildren()
})

const mount = (target: Element | string, options?: MountOptions) =>
  act(() => {
    unmount = mountSignIn(target, options)
  })
const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const append = (id: string, html = '') => {
  const element = Object.assign(document.createElement('div'), { id, innerHTML: html })
  document.body.append(element)
  return element
}
const isMountedIn = (element: Element) => element.querySelector('form input[autocomplete="username"]') !== null

describe('mounting', () => {
  it.each(['root', '#root', 'body > div'])('finds %s immediately', target => {
    const element = append('root')
    mount(target)
    expect(isMountedIn(element)).toBe(true)
  })

  it('accepts an element, and an ID that is not a selector', () => {
    const [one, other] = [append('a'), append('my:id')]
    mount(one)
    expect(isMountedIn(one)).toBe(true)
    act(unmount)
    mount('my:id')
    expect(isMountedIn(other)).toBe(true)
  })

  it('waits for an element that appears after 4.9 s', async () => {
    mount('#root')
    await after(4900)
    const element = append('root')
    await after(49)
    expect(isMountedIn(element)).toBe(false)
    await after(1)
    expect(isMountedIn(element)).toBe(true)
  })

  it('looks 100 times, 50 ms apart, then logs once', async () => {
    const looks: number[] = []
    const start = Date.now()
    vi.spyOn(document, 'getElementById').mockImplementation(() => {
      looks.push(Date.now() - start)
      return null
    })
    const onMountFailed = vi.fn()
    mount('#nowhere', { onMountFailed })
    await after(4949)
    expect(onMountFailed).not.toHaveBeenCalled()
    await after(60_000)
    expect(looks).toEqual(Array.from({ length: 100 }, (_, i) => i * 50))
    const sentence = "no element for '#nowhere' after 100 tries, 50 ms apart; sign-in is not mounted"
    expect(onMountFailed.mock.calls).toEqual([[sentence]])
    expect(written.lines()).toEqual([`Gatehouse: ${sentence}`])
  })

  it('stops looking on unmount', async () => {
    mount('#root')
    act(unmount)
    const element = append('root')
    await after(10_000)
    expect(element.childElementCount).toBe(0)
  })

  it('removes the widget on unmount', () => {
    const element = append('root')
    mount(element)
    act(unmount)
    expect(element.childElementCount).toBe(0)
  })

  it('hydrates existing markup and keeps its input', () => {
    const element = append('root', renderToString(<SignIn />))
    const field = element.querySelector<HTMLInputElement>('input[name=username]')
    if (!field) throw new Error('the server rendered no field')
    field.value = 'typed@before.example'
    mount(element)
    expect(element.querySelector('input[name=username]')).toBe(field)
    expect(field.value).toBe('typed@before.example')
  })

  it('replaces a host’s placeholder and a server’s comment', () => {
    const element = append('root', '<!--app--><p>Loading</p>')
    mount(element)
    expect(element.textContent).not.toContain('Loading')
    expect(isMountedIn(element)).toBe(true)
  })
})

describe('mounting on an element that already contains the widget', () => {
  const twice = 'sign-in is already mounted in this element; unmount it first'

  it('warns once and changes neither the widget nor its input', () => {
    const element = append('root')
    const onError = vi.fn()
    mount(element, { onError })
    const field = element.querySelector<HTMLInputElement>('input[name=username]')
    if (!field) throw new Error('no field')
    field.value = 'typed@before.example'
    for (let i = 0; i < 3; i++) mount('#root', { messages: { login: { signIn: 'Other' } } })
    expect(element.querySelectorAll('[data-gatehouse]')).toHaveLength(1)
    expect(element.querySelector('input[name=username]')).toBe(field)
    expect(field.value).toBe('typed@before.example')
    expect(element.querySelector('button[type=submit]')?.textContent).toBe('Sign in')
    expect(written.lines()).toEqual([`Gatehouse: ${twice}`])
  })

  it('returns an unmount function that works for either call', () => {
    const element = append('root')
    let [first, second] = [() => {}, () => {}]
    act(() => {
      first = mountSignIn(element)
      second = mountSignIn(element)
    })
    act(second)
    expect(element.childElementCount).toBe(0)
    act(first)
    expect(written.lines()).toHaveLength(1)
    mount(element)
    expect(isMountedIn(element)).toBe(true)
    act(second)
    act(first)
    expect(isMountedIn(element), 'a handle of before takes nothing away').toBe(true)
  })

  it('warns about the later of two calls that waited for the same element', async () => {
    let [first, second] = [() => {}, () => {}]
    act(() => {
      first = mountSignIn('#root')
      second = mountSignIn('#root')
    })
    const element = append('root')
    await after(50)
    expect(element.querySelectorAll('[data-gatehouse]')).toHaveLength(1)
    expect(written.lines()).toEqual([`Gatehouse: ${twice}`])
    act(first)
    act(second)
    expect(element.childElementCount).toBe(0)
  })

  it('does not warn when it is unmounted and mounted again', () => {
    const element = append('root')
    for (let i = 0; i < 3; i++) {
      mount(element, { messages: { login: { signIn: `Round ${i}` } } })
      expect(element.querySelector('button[type=submit]')?.textContent).toBe(`Round ${i}`)
      act(unmount)
      expect(element.childElementCount).toBe(0)
    }
  })

  it('does not warn in an effect of a React host, which StrictMode runs twice', () => {
    const Host = () => {
      const ref = useRef<HTMLDivElement>(null)
      useEffect(() => (ref.current ? mountSignIn(ref.current) : undefined), [])
      return <div ref={ref} />
    }
    const { container } = render(<Host />, { wrapper: StrictMode })
    expect(container.querySelectorAll('[data-gatehouse]')).toHaveLength(1)
    expect(isMountedIn(container)).toBe(true)
    act(cleanup)
    expect(container.childElementCount).toBe(0)
  })
})
