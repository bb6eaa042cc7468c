import { useCallback, useEffect, useRef } from 'react'
import type { Emit, SignInEvent } from './events.ts'
import { logError } from './log.ts'

/** Emits the events of the widget, including `page-shown`. Never throws. */
export const useEvents = (onEvent: Emit | undefined, page: Extract<SignInEvent, { type: 'page-shown' }>['page']): Emit => {
  const latest = useRef(onEvent)
  const shown = useRef('')
  useEffect(() => {
    latest.current = onEvent
  })
  const emit = useCallback((event: SignInEvent) => {
    try {
      latest.current?.(event)
    } catch (error) {
      logError('options.onEvent threw', error)
    }
  }, [])
  useEffect(() => {
    // StrictMode runs effects twice.
    if (shown.current !== page) emit({ type: 'page-shown', page })
    shown.current = page
  }, [emit, page])
  return emit
}
