import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createSignIn, type HeadlessOptions } from './create-sign-in.ts'
import type { SignInView } from './view.ts'

/**
 * A sign-in without markup, for a React page that renders its own.
 * Reads `server`, `messages`, `providers`, `passkeys` and `initialPage` once.
 * @returns what to draw
 */
export const useSignIn = (options: HeadlessOptions = {}): SignInView => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const [signIn] = useState(() =>
    createSignIn({
      ...options,
      onEvent: event => latest.current.onEvent?.(event),
      onError: report => latest.current.onError?.(report),
      // Without this function, the token page decides where the browser goes.
      ...(options.onSignedIn && { onSignedIn: next => latest.current.onSignedIn?.(next) }),
    }),
  )
  // A server does not know whether the browser has passkeys.
  const [rendered] = useState((): SignInView => {
    const view = signIn.getView()
    return view.at === 'login' ? { ...view, usePasskey: undefined } : view
  })
  return useSyncExternalStore(signIn.subscribe, signIn.getView, () => rendered)
}
