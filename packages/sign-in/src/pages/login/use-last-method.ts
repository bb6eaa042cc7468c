import type { SsoProviderName } from '@gatehouse/wire'
import { useEffect, useState } from 'react'

const key = 'gatehouse-last-method'

/** The way to sign in that this browser used last. It stays in the browser's storage and is never sent. */
export const useLastMethod = () => {
  const [last, setLast] = useState<string | null>(null)
  // Read the storage after the first frame, because the server renders the page without it. Storage can be off, or full.
  useEffect(() => {
    try {
      setLast(localStorage.getItem(key))
    } catch {}
  }, [])
  return {
    last,
    remember: (method: 'password' | 'passkey' | SsoProviderName) => {
      try {
        localStorage.setItem(key, method)
      } catch {}
    },
  }
}
