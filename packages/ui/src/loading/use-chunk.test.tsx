// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useChunk } from './use-chunk.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})
const settle = () => act(() => vi.advanceTimersByTimeAsync(0))
const start = (load: () => Promise<string>, needed: boolean) =>
  renderHook(props => useChunk(load, props.needed), { initialProps: { needed } })

describe('useChunk', () => {
  it('loads immediately when needed', async () => {
    const load = vi.fn(async () => 'code')
    const { result } = start(load, true)
    expect(result.current.chunk).toEqual({ is: 'loading' })
    await settle()
    expect(result.current.chunk).toEqual({ is: 'loaded', module: 'code' })
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('loads once when the page is idle', async () => {
    const load = vi.fn(async () => 'code')
    const { result, rerender } = start(load, false)
    await act(() => vi.advanceTimersByTimeAsync(1999))
    expect(load).not.toHaveBeenCalled()
    await act(() => vi.advanceTimersByTimeAsync(1))
    rerender({ needed: true })
    expect(result.current.chunk).toEqual({ is: 'loaded', module: 'code' })
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('loads again after a failure', async () => {
    const load = vi.fn(async () => 'code').mockRejectedValueOnce(new Error('no network'))
    const { result } = start(load, true)
    await settle()
    expect(result.current.chunk).toEqual({ is: 'failed' })
    act(() => result.current.retry())
    expect(result.current.chunk).toEqual({ is: 'loading' })
    await settle()
    expect(result.current.chunk).toEqual({ is: 'loaded', module: 'code' })
  })

  it('loads again when needed, after a failure ahead of need', async () => {
    const load = vi.fn(async () => 'code').mockRejectedValueOnce(new Error('no network'))
    const { result, rerender } = start(load, false)
    await act(() => vi.advanceTimersByTimeAsync(2000))
    rerender({ needed: true })
    await settle()
    expect(result.current.chunk).toEqual({ is: 'loaded', module: 'code' })
  })

  it('whenever the chunk becomes needed, reports no failure until the new request fails', async () => {
    const load = vi.fn(() => Promise.reject<string>(new Error('no network')))
    const seen: string[] = []
    const { rerender } = renderHook(
      ({ needed }) => {
        const { chunk } = useChunk(load, needed)
        seen.push(`${needed ? 'needed' : 'ahead'} ${chunk.is}`)
      },
      { initialProps: { needed: false } },
    )
    await act(() => vi.advanceTimersByTimeAsync(2000))
    expect(load).toHaveBeenCalledTimes(1)
    for (let i = 0; i < 2; i++) {
      rerender({ needed: true })
      expect(seen.splice(0), 'before the reply').not.toContain('needed failed')
      await settle()
      expect(seen.splice(0).at(-1)).toBe('needed failed')
      rerender({ needed: false })
    }
  })

  it('changes no state after unmount', async () => {
    let arrive = (_: string) => {}
    const { result, unmount } = start(() => new Promise(resolve => (arrive = resolve)), true)
    unmount()
    arrive('late')
    await settle()
    expect(result.current.chunk).toEqual({ is: 'loading' })
  })
})
