import type { Messages } from './messages.ts'

/** The English texts of a login page whose methods the host page has chosen. Not part of the first load of our own pages. */
export const englishMethods: Messages['methods'] = {
  or: 'or',
  emailLink: 'Email me a one-time link',
}
