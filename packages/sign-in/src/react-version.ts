import { version } from 'react'

/** Says that the page's React is too old for the widget. Undefined if it is not. */
export const reactVersionError =
  Number.parseInt(version, 10) < 19
    ? `sign-in needs React 19 or later, but this page uses React ${version}; sign-in is not mounted`
    : undefined
