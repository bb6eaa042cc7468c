// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MountOptions, mountSignIn } from './mount.tsx'
import { SignIn } from './sign-in.tsx'
import { watchConsole } from './testing/watch-console.ts'

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
  it.each(['root', '#root', 'body > div'])('finds %s at once', target => {
    const element = append('root')
    mount(target)
    expect(isMountedIn(element)).toBe(true)
  })

  it('takes an element, and an id that is no selector', () => {
    const [one, other] = [append('a'), append('my:id')]
    mount(one)
    expect(isMountedIn(one)).toBe(true)
    act(unmount)
    mount('my:id')
    expect(isMountedIn(other)).toBe(true)
  })

  it('waits for an element that comes after 4.9 s', async () => {
    mount('#root')
    await after(4900)
    const element = append('root')
    await after(49)
    expect(isMountedIn(element)).toBe(false)
    await after(1)
    expect(isMountedIn(element)).toBe(true)
  })

  it('looks 100 times, 50 ms apart, then says so once', async () => {
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

  it('stops looking when it is unmounted', async () => {
    mount('#root')
    act(unmount)
    const element = append('root')
    await after(10_000)
    expect(element.childElementCount).toBe(0)
  })

  it('takes the area away when it is unmounted', () => {
    const element = append('root')
    mount(element)
    act(unmount)
    expect(element.childElementCount).toBe(0)
  })

  it('hydrates markup that is there, and keeps what was typed into it', () => {
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
