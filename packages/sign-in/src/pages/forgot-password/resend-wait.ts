import { resendWaitSeconds } from './forgot-password-flow.ts'

/** Makes the user wait before sending another email to the same address. The server has its own limits. */
export const createResendWait = (onChange: () => void) => {
  let wait: { address: string; until: number } | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  // Timers stop while the device sleeps, so compare the clock.
  const left = () => (wait ? Math.max(0, Math.ceil((wait.until - Date.now()) / 1000)) : 0)
  const end = () => {
    clearInterval(timer)
    wait = undefined
    onChange()
  }
  return {
    /** Seconds until the user may send again; 0 if the user may send now. */
    left,
    begin: (address: string) => {
      clearInterval(timer)
      wait = { address, until: Date.now() + resendWaitSeconds * 1000 }
      timer = setInterval(() => (left() > 0 ? onChange() : end()), 1000)
      onChange()
    },
    /** Ends the wait as soon as the field holds another address. */
    edit: (address: string) => {
      if (wait && wait.address !== address) end()
    },
    stop: () => clearInterval(timer),
  }
}
