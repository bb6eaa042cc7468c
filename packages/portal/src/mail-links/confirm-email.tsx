import { createPortalApi } from '../calls/portal-api.ts'
import { speakPage } from '../messages/load-texts.ts'
import { serverProps } from '../server-props.ts'
import { ConfirmEmailPage } from './confirm-email-page.tsx'
import { isMailLinkProps } from './mail-link-props.ts'
import { openMailLink } from './open-mail-link.ts'
import '../page.css'

const { base, config, link, draw } = openMailLink()
const props = serverProps(isMailLinkProps<void>)
await speakPage('confirm-email')
draw(props, <ConfirmEmailPage {...(!link && props)} link={link} base={base} api={createPortalApi(config)} />)
