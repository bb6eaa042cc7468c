import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { useState } from 'react'
import { resendWaitSeconds } from './forgot-password-flow.ts'

/** Makes the user wait before sending another email to the same address. The server has its own limits. */
export const useResendWait = () => {
  const [wait, setWait] = useState<{ address: string; until: number; left: number }>()
  // Timers stop while the device sleeps, so compare the clock.
  useInterval(
    () =>
      setWait(wait => {
        const left = wait ? Math.ceil((wait.until - Date.now()) / 1000) : 0
        return wait && left > 0 ? { ...wait, left } : undefined
      }),
    wait ? 1 : null,
  )
  return {
    /** Seconds until the user may send again; 0 now. */
    left: wait?.left ?? 0,
    begin: (address: string) => setWait({ address, until: Date.now() + resendWaitSeconds * 1000, left: resendWaitSeconds }),
    /** Ends the wait as soon as the field holds another address. */
    edit: (address: string) => setWait(wait => (wait?.address === address ? wait : undefined)),
  }
}
