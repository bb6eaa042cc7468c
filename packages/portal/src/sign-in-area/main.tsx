import { SignIn } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { pageLogo } from '../page-logo.ts'
import '../page.css'

// The other pages load this file too, for the code it shares with them. They have nothing to mount.
const root = document.getElementById('root')
if (root?.dataset.page === 'sign-in') {
  // The other props are options of the widget, with the same names.
  const { page, said, ...options } = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? '') ?? {}
  // The server has rendered the page. `mountSignIn` would also look for the element and replace what it contains.
  hydrateRoot(
    root,
    <SignIn
      {...options}
      lang={document.documentElement.lang}
      server={{ basePath: basePath() }}
      autoFocus
      plainForms
      initialPage={page}
      formResult={said}
      logo={pageLogo()}
    />,
  )
  // Not needed to sign in, so load it after everything else.
  window.addEventListener('load', () => setTimeout(() => import('./beside-sign-in.ts')))
}
