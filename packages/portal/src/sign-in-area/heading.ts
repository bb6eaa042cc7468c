import type { AreaProps } from '@gatehouse/wire/page-props'

/** The heading above the sign-in form: what the user signs in to, and where the browser continues. */
export const headingOf = (heading: AreaProps['heading']) =>
  heading && {
    title: `Sign in to ${heading.name}`,
    text: heading.destination && `to continue to ${heading.destination}`,
  }
