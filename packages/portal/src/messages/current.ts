import type { Messages } from '@gatehouse/sign-in/messages'
import type { AccountMessages } from './account-messages.ts'
import type { AdministrationMessages } from './administration-messages.ts'
import type { ApproverMessages } from './approver-messages.ts'
import type { PortalMessages } from './messages.ts'

/** The parts of a translation that the pages show. */
export type Texts = {
  signIn: Messages
  portal: PortalMessages
  account: AccountMessages
  administration: AdministrationMessages
  approver: ApproverMessages
}

// The texts of the page, in its language. Read them while rendering or after an event, never while a module loads. The browser loads them
// after the components, and the server renders pages in different languages one after the other.

/** The page's language, for `Intl`. */
export let language = 'en'
export let signInTexts: Messages
export let portalTexts: PortalMessages
export let accountTexts: AccountMessages
export let administrationTexts: AdministrationMessages
export let approverTexts: ApproverMessages

/** Changes the language of everything that renders from now on. */
export const speak = (tag: string, texts: Partial<Texts>) => {
  language = tag
  if (texts.signIn) signInTexts = texts.signIn
  if (texts.portal) portalTexts = texts.portal
  if (texts.account) accountTexts = texts.account
  if (texts.administration) administrationTexts = texts.administration
  if (texts.approver) approverTexts = texts.approver
}
