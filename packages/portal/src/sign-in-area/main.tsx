import { SignIn } from '@gatehouse/sign-in'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { drawnLogo, pageLogo } from '../page-logo.tsx'
import '../page.css'

// The other pages load this file too, for the code it shares with them. They have nothing to mount.
const root = document.getElementById('root')
if (root && document.body.dataset.page === 'sign-in') {
  // The other props are options of the widget, with the same names.
  const { page, said, ...options } = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? '') ?? {}
  // `mountSignIn` would also look for the element, and replace what other pages put there.
  const signIn = (
    <SignIn
      {...options}
      lang={document.documentElement.lang}
      server={{ basePath: basePath() }}
      autoFocus
      plainForms
      initialPage={page}
      formResult={said}
      logo={drawnLogo(pageLogo())}
    />
  )
  // The server has rendered the page. A server that only delivers the built file has not.
  if (root.firstElementChild) hydrateRoot(root, signIn)
  else createRoot(root).render(signIn)
  // Not needed to sign in, so load it after everything else.
  window.addEventListener('load', () => setTimeout(() => import('./beside-sign-in.ts')))
}
