import { mountSignIn } from '@gatehouse/sign-in'
import { basePath } from '../base-path.ts'
import { pageLogo } from '../page-logo.ts'
import '../page.css'

// The other pages share this file, for what they have in common is in it; on them there is nothing to mount.
const root = document.getElementById('root')
if (root?.dataset.page === 'sign-in') {
  const { page, said, providers } = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? '') ?? {}
  mountSignIn(root, {
    server: { basePath: basePath() },
    autoFocus: true,
    plainForms: true,
    initialPage: page,
    formResult: said,
    providers,
    logo: pageLogo(),
  })
  // Not needed to sign in, so it comes when all that is has come.
  window.addEventListener('load', () => setTimeout(() => import('./beside-sign-in.ts')))
}
