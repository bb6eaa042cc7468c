import { createPortalApi } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { ConfirmEmailPage } from './confirm-email-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import './page.css'

const { root, base, config, link } = openMailLink()
hydrateRoot(root, <ConfirmEmailPage link={link} base={base} api={createPortalApi(config)} />)
