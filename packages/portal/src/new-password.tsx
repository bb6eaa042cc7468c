import { createPortalApi } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { isNewPasswordProps, NewPasswordPage } from './new-password-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import { serverProps } from './server-props.ts'
import './page.css'

const { root, base, config, link } = openMailLink()
const props = serverProps(isNewPasswordProps)
hydrateRoot(root, <NewPasswordPage {...props} link={link} base={base} api={createPortalApi(config)} />)
