import { useRef } from 'react'
import type { Read } from './use-read.ts'

/**
 * Keeps the last result while the next one loads, so that a list does not flicker while the user types.
 * @param key what the result belongs to: under another key the old result is not shown
 * @returns `isOld` while the next one loads
 */
export const useKept = <T>(state: Read<T>, key: string): { state: Read<T>; isOld: boolean } => {
  const kept = useRef<{ key: string; state: Read<T> }>(undefined)
  if (state.is !== 'Loading') kept.current = { key, state }
  const isOld = state.is === 'Loading' && kept.current?.key === key && kept.current.state.is === 'Loaded'
  return isOld && kept.current ? { state: kept.current.state, isOld } : { state, isOld: false }
}
