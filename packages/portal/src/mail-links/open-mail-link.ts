import { createConfig } from '@gatehouse/sign-in'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { readMailLink } from './mail-link.ts'

/** What the script of every page of a mailed link begins with. */
export const openMailLink = () => {
  const root = document.getElementById('root')
  if (!root) throw new TypeError('the page of a mailed link came without its root')
  const { hash, pathname } = window.location
  // At once: the address bar, the history and whoever looks over a shoulder have no use for the token.
  if (hash) window.history.replaceState(null, '', pathname)
  // A second link that is opened in the same tab changes the fragment and loads nothing.
  window.addEventListener('hashchange', () => window.location.reload())
  const base = basePath()
  const link = readMailLink(hash)
  /** What the server rendered is of the link that was pasted before, if one was: the one in the address counts. */
  const draw = ({ begin }: { begin?: unknown }, page: ReactNode) => {
    if (!link || !begin) return void hydrateRoot(root, page)
    createRoot(root).render(page)
  }
  return { base, config: createConfig({ basePath: base }), link, draw }
}
