import { createPortalApi, SignIn } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { leaveSignedIn } from './leave-signed-in.ts'
import { OneTimeLinkPage } from './one-time-link-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import './page.css'

const { root, base, config, link } = openMailLink()
hydrateRoot(
  root,
  <OneTimeLinkPage
    link={link}
    base={base}
    api={createPortalApi(config)}
    leave={leaveSignedIn(config)}
    goOn={page => <SignIn server={{ basePath: base }} initialPage={page} loginAddress={`${base}/`} />}
  />,
)
