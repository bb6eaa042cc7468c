import { hydrateRoot } from 'react-dom/client'
import { speakPage } from '../messages/load-texts.ts'
import { pageLogo } from '../page-logo.tsx'
import { serverProps } from '../server-props.ts'
import { AreaPage, isAreaProps, showsQrCode } from './area-page.tsx'
import '../page.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('the page came without its root')
const props = serverProps(isAreaProps)
// The server has rendered the QR code. Hydration needs its module.
const qr = showsQrCode(props) ? await import('@gatehouse/ui/qr-code/qr-code.tsx') : undefined
await speakPage('area')
hydrateRoot(root, <AreaPage {...props} qr={qr} logo={pageLogo()} />)
