import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { ReactNode } from 'react'
import { administrationTexts as words } from '../messages/current.ts'
import styles from './administration.module.css'
import type { Read } from './use-read.ts'

/** A spinner while something loads. */
export const Waiting = () => (
  <div className={styles.waiting}>
    <Spinner />
    <span aria-hidden="true">{words.loading}</span>
    <Announced>{words.loading}</Announced>
  </div>
)

type ReadingProps<T> = {
  state: Read<T>
  /** Loads the data again. */
  again: () => void
  /** Opens the sign-in page. */
  leave: () => void
  /** The message for data that does not exist. */
  gone?: string
  children: (value: T) => ReactNode
}

/** Shows what was loaded, a spinner, or an error with what to do next. */
export const Reading = <T,>({ state, again, leave, gone, children }: ReadingProps<T>) => {
  switch (state.is) {
    case 'Loading':
      return <Waiting />
    case 'Loaded':
      return children(state.value)
    case 'Failed': {
      const message = state.signedOut ? words.notAllowed : state.gone && gone ? gone : state.message
      return (
        <div className={styles.failed}>
          <ErrorPanel title={words.failed} message={message} />
          <Button onClick={state.signedOut ? leave : again}>{state.signedOut ? words.signInAgain : words.retry}</Button>
        </div>
      )
    }
  }
}
