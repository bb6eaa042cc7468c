import type { SignInPage } from '@gatehouse/wire/page-props'
import { useState } from 'react'

/** The pages that the host can choose. Users reach all other pages during a sign-in. */
export type ChosenPage = 'login' | 'forgot-password'

/**
 * The current page.
 * @param chosen the host's choice between login and forgot password; undefined if the widget chooses
 * @returns the page, and a function that goes to another one. If the host chooses, the function shows login or forgot password only if it is
 * the chosen page, and otherwise only calls `onPageChange`. It always shows the other pages
 */
export const usePage = (initial: SignInPage, chosen: ChosenPage | undefined, onPageChange: ((page: ChosenPage) => void) | undefined) => {
  const [page, setPage] = useState<SignInPage>(chosen ? { at: chosen } : initial)
  const [before, setBefore] = useState(chosen)
  const [wanted, setWanted] = useState<SignInPage>()
  if (chosen !== before) {
    setBefore(chosen)
    if (chosen && chosen !== page.at) setPage(wanted?.at === chosen ? wanted : { at: chosen })
  }
  const show = (to: SignInPage) => {
    if (to.at !== 'login' && to.at !== 'forgot-password') return setPage(to)
    if (!chosen || chosen === to.at) setPage(to)
    else setWanted(to)
    onPageChange?.(to.at)
  }
  return [page, show] as const
}
