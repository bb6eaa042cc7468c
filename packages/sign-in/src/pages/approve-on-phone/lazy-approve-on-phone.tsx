import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { useChunk } from '@gatehouse/ui/loading/use-chunk.ts'
import { useContext } from 'react'
import { LoadingPage } from '../loading.tsx'
import type { ApproveOnPhonePageProps } from './approve-on-phone.tsx'
import { PreloadedPhoneApproval } from './preloaded-phone-approval.ts'

const loadPage = retriable(() => import('./approve-on-phone.tsx'))

/** The page of phone approval. A separate chunk, because only users with an enrolled phone need it. */
export const LazyApproveOnPhonePage = (props: ApproveOnPhonePageProps) => {
  const { chunk, retry } = useChunk(loadPage, true, useContext(PreloadedPhoneApproval))
  if (chunk.is === 'loaded') return <chunk.module.ApproveOnPhonePage {...props} />
  const { messages, go, page } = props
  const back = () => go({ at: 'login', email: page.credentials.username })
  return <LoadingPage messages={messages} failed={chunk.is === 'failed'} retry={retry} back={back} />
}
