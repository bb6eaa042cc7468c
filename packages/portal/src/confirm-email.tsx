import { createPortalApi } from '@gatehouse/sign-in'
import { ConfirmEmailPage } from './confirm-email-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import './page.css'

const { base, config, link, draw } = openMailLink()
draw({}, <ConfirmEmailPage link={link} base={base} api={createPortalApi(config)} />)
