import type { Factor } from '@gatehouse/wire'
import { createPortalApi } from '../calls/portal-api.ts'
import { speakPage } from '../messages/load-texts.ts'
import { serverProps } from '../server-props.ts'
import { isMailLinkProps } from './mail-link-props.ts'
import { NewFactorPage } from './new-factor-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import '../page.css'

const { base, config, link, draw } = openMailLink()
const props = serverProps(isMailLinkProps<Factor>)
// If the server rendered the QR code, hydration needs its module.
const qr = props.begin?.is === 'Done' ? await import('@gatehouse/ui/qr-code/qr-code.tsx') : undefined
await speakPage('new-factor')
draw(props, <NewFactorPage {...(!link && props)} qr={qr} link={link} base={base} api={createPortalApi(config)} />)
