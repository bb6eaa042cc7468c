import '@ory/elements-react/theme/styles.css'
import { Login } from '@ory/elements-react/theme'
import { createRoot } from 'react-dom/client'

const project = {
  name: 'bench',
  default_redirect_url: '/',
  error_ui_url: '/error',
  login_ui_url: '/',
  registration_ui_url: '/registration',
  recovery_ui_url: '/recovery',
  settings_ui_url: '/settings',
  verification_ui_url: '/verification',
  registration_enabled: false,
  recovery_enabled: true,
  verification_enabled: true,
  default_locale: 'en',
  locale_behavior: 'force_default',
}
const flow = await (await fetch('/self-service/login/flows?id=1')).json()
createRoot(document.getElementById('root')).render(<Login flow={flow} config={{ sdk: { url: location.origin }, project }} />)
