import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { useChunk } from '@gatehouse/ui/loading/use-chunk.ts'
import { useContext } from 'react'
import { WaitingPage } from '../loading.tsx'
import type { ApproveOnPhonePageProps } from './approve-on-phone.tsx'
import { PreloadedPhoneApproval } from './preloaded-phone-approval.ts'

const loadPage = retriable(() => import('./approve-on-phone.tsx'))

/** The page of a sign-in that is approved on a phone. A part of its own, for only those need it who have set up a phone. */
export const ApproveLater = (props: ApproveOnPhonePageProps) => {
  const { chunk, retry } = useChunk(loadPage, true, useContext(PreloadedPhoneApproval))
  if (chunk.is === 'loaded') return <chunk.module.ApproveOnPhonePage {...props} />
  const { messages, go, page } = props
  const back = () => go({ at: 'login', email: page.credentials.username })
  return <WaitingPage messages={messages} failed={chunk.is === 'failed'} retry={retry} back={back} />
}
