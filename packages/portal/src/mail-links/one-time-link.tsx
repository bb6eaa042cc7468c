import { SignIn } from '@gatehouse/sign-in'
import { createPortalApi } from '../calls/portal-api.ts'
import { signInTexts } from '../messages/current.ts'
import { speakPage } from '../messages/load-texts.ts'
import { drawnLogo, pageLogo } from '../page-logo.tsx'
import { serverProps } from '../server-props.ts'
import { leaveSignedIn } from '../sign-in-area/leave-signed-in.ts'
import { isOneTimeLinkProps } from './mail-link-props.ts'
import { OneTimeLinkPage } from './one-time-link-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import '../page.css'

const { base, config, link, draw } = openMailLink()
const props = serverProps(isOneTimeLinkProps)
await speakPage('one-time-link')
draw(
  props,
  <OneTimeLinkPage
    {...(!link && props)}
    link={link}
    base={base}
    api={createPortalApi(config)}
    leave={leaveSignedIn(config)}
    goOn={page => (
      <SignIn
        server={{ basePath: base }}
        logo={drawnLogo(pageLogo())}
        messages={signInTexts}
        initialPage={page}
        loginUrl={`${base}/`}
        passkeys
        submitCodeWhenComplete={props.submitCodeWhenComplete}
      />
    )}
  />,
)
