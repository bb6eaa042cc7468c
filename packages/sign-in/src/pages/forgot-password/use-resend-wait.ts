import { useEffect, useState } from 'react'
import { createResendWait } from './resend-wait.ts'

/** The wait before another email to the same address, as component state. */
export const useResendWait = () => {
  const [left, setLeft] = useState(0)
  const [wait] = useState(() => createResendWait(() => setLeft(wait.left())))
  useEffect(() => wait.stop, [wait])
  return { left, begin: wait.begin, edit: wait.edit }
}
