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
const start = (load: () => Promise<string>, wanted: boolean) =>
  renderHook(props => useChunk(load, props.wanted), { initialProps: { wanted } })

describe('code that comes after the page', () => {
  it('is fetched at once when it is wanted', async () => {
    const load = vi.fn(async () => 'here')
    const { result } = start(load, true)
    expect(result.current.chunk).toEqual({ is: 'coming' })
    await settle()
    expect(result.current.chunk).toEqual({ is: 'here', module: 'here' })
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is fetched ahead of need when the page has come to rest, once', async () => {
    const load = vi.fn(async () => 'here')
    const { result, rerender } = start(load, false)
    await act(() => vi.advanceTimersByTimeAsync(1999))
    expect(load).not.toHaveBeenCalled()
    await act(() => vi.advanceTimersByTimeAsync(1))
    rerender({ wanted: true })
    expect(result.current.chunk).toEqual({ is: 'here', module: 'here' })
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('that does not arrive can be fetched again', async () => {
    const load = vi.fn(async () => 'here').mockRejectedValueOnce(new Error('no network'))
    const { result } = start(load, true)
    await settle()
    expect(result.current.chunk).toEqual({ is: 'failed' })
    act(() => result.current.retry())
    expect(result.current.chunk).toEqual({ is: 'coming' })
    await settle()
    expect(result.current.chunk).toEqual({ is: 'here', module: 'here' })
  })

  it('that did not arrive ahead of need is fetched again when it is wanted', async () => {
    const load = vi.fn(async () => 'here').mockRejectedValueOnce(new Error('no network'))
    const { result, rerender } = start(load, false)
    await act(() => vi.advanceTimersByTimeAsync(2000))
    rerender({ wanted: true })
    await settle()
    expect(result.current.chunk).toEqual({ is: 'here', module: 'here' })
  })

  it('is never said to have failed while nobody waits for it, nor when somebody waits for it anew', async () => {
    const load = vi.fn(() => Promise.reject<string>(new Error('no network')))
    const seen: string[] = []
    const { rerender } = renderHook(
      ({ wanted }) => {
        const { chunk } = useChunk(load, wanted)
        seen.push(`${wanted ? 'wanted' : 'ahead'} ${chunk.is}`)
      },
      { initialProps: { wanted: false } },
    )
    await act(() => vi.advanceTimersByTimeAsync(2000))
    expect(load).toHaveBeenCalledTimes(1)
    for (let i = 0; i < 2; i++) {
      rerender({ wanted: true })
      expect(seen.splice(0), 'before the answer').not.toContain('wanted failed')
      await settle()
      expect(seen.splice(0).at(-1)).toBe('wanted failed')
      rerender({ wanted: false })
    }
  })

  it('changes nothing when the page is gone', async () => {
    let arrive = (_: string) => {}
    const { result, unmount } = start(() => new Promise(resolve => (arrive = resolve)), true)
    unmount()
    arrive('late')
    await settle()
    expect(result.current.chunk).toEqual({ is: 'coming' })
  })
})
