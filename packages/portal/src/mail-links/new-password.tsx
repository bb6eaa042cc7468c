import { createPortalApi } from '../calls/portal-api.ts'
import { speakPage } from '../messages/load-texts.ts'
import { serverProps } from '../server-props.ts'
import { isNewPasswordProps, NewPasswordPage } from './new-password-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import '../page.css'

const { base, config, link, draw } = openMailLink()
const props = serverProps(isNewPasswordProps)
const { minPasswordLength } = props
await speakPage('new-password')
draw(
  props,
  <NewPasswordPage {...(!link && props)} minPasswordLength={minPasswordLength} link={link} base={base} api={createPortalApi(config)} />,
)
