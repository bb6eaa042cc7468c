import { createConfig, createPortalApi, SignIn } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { basePath } from './base-path.ts'
import { leaveSignedIn } from './leave-signed-in.ts'
import { SecondFactorPage } from './second-factor-page.tsx'
import './page.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('the page of a sign-in that goes on came without its root')
const base = basePath()
const config = createConfig({ basePath: base })
hydrateRoot(
  root,
  <SecondFactorPage
    base={base}
    api={createPortalApi(config)}
    leave={leaveSignedIn(config)}
    goOn={page => <SignIn server={{ basePath: base }} initialPage={page} loginAddress={`${base}/`} />}
  />,
)
