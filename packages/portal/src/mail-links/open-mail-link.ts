import { createConfig } from '@gatehouse/sign-in'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { readMailLink } from './mail-link.ts'

/** Reads the link from the address. Every page of a mailed link starts with this. */
export const openMailLink = () => {
  const root = document.getElementById('root')
  if (!root) throw new TypeError('the page of a mailed link came without its root')
  const { hash, pathname } = window.location
  // Remove the token from the address bar and the history immediately.
  if (hash) window.history.replaceState(null, '', pathname)
  // Opening a second link in the same tab changes only the fragment, without a load.
  window.addEventListener('hashchange', () => window.location.reload())
  const base = basePath()
  const link = readMailLink(hash)
  /** The server may have rendered the state of a link pasted earlier. A link in the address takes precedence. */
  const draw = ({ begin }: { begin?: unknown }, page: ReactNode) => {
    if (!link || !begin) return void hydrateRoot(root, page)
    createRoot(root).render(page)
  }
  return { base, config: createConfig({ basePath: base }), link, draw }
}
