import { mountSignIn } from '@gatehouse/sign-in'
import { hydrateAccount } from './account.tsx'
import './page.css'

/** The path under which the server answers, without a slash at the end; it stands in the page's head. */
const basePath = () => {
  const content = document.querySelector<HTMLMetaElement>('meta[name="gatehouse-base"]')?.content ?? './'
  return new URL(content, document.baseURI).pathname.replace(/\/+$/, '')
}

// One script for all pages, so that the account page finds in the cache what the sign-in page has brought.
const root = document.getElementById('root')
switch (root?.dataset.page) {
  case 'sign-in':
    mountSignIn(root, { server: { basePath: basePath() }, autoFocus: true })
    break
  case 'account':
    hydrateAccount(root, basePath())
    break
}
