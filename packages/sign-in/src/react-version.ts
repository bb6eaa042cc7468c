import { version } from 'react'

/** Why the area cannot run on the page's React, in one sentence; nothing where it can. */
export const reactProblem =
  Number.parseInt(version, 10) < 19
    ? `sign-in needs React 19 or later, but this page uses React ${version}; sign-in is not mounted`
    : undefined
