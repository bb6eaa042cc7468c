import { createConfig } from '@gatehouse/sign-in'
import { hydrateRoot } from 'react-dom/client'
import { basePath } from '../base-path.ts'
import { createPortalApi } from '../calls/portal-api.ts'
import { speakPage } from '../messages/load-texts.ts'
import { saveFile } from '../save-file.ts'
import { serverProps } from '../server-props.ts'
import { isRecoveryCodesProps, RecoveryCodesPage } from './recovery-codes-page.tsx'
import '../page.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('the page of recovery codes came without its root')
const props = serverProps(isRecoveryCodesProps)
const api = createPortalApi(createConfig({ basePath: basePath() }))
await speakPage('recovery-codes')
hydrateRoot(root, <RecoveryCodesPage {...props} api={api} save={saveFile} print={() => window.print()} />)
