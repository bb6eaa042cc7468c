import { version } from 'react'

/** The error if the page's React is too old for the widget. Undefined otherwise. */
export const reactVersionError =
  Number.parseInt(version, 10) < 19
    ? `sign-in needs React 19 or later, but this page uses React ${version}; sign-in is not mounted`
    : undefined
