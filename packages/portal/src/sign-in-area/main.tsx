import { mountSignIn } from '@gatehouse/sign-in'
import { basePath } from '../base-path.ts'
import { pageLogo } from '../page-logo.ts'
import '../page.css'

// The other pages load this file too, for the code it shares with them. They have nothing to mount.
const root = document.getElementById('root')
if (root?.dataset.page === 'sign-in') {
  // The other props are options of the widget, with the same names.
  const { page, said, ...options } = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? '') ?? {}
  mountSignIn(root, {
    ...options,
    lang: document.documentElement.lang,
    server: { basePath: basePath() },
    autoFocus: true,
    plainForms: true,
    initialPage: page,
    formResult: said,
    logo: pageLogo(),
  })
  // Not needed to sign in, so load it after everything else.
  window.addEventListener('load', () => setTimeout(() => import('./beside-sign-in.ts')))
}
