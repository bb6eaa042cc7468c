type Mails = readonly { to: string; text: string }[]
type Page = 'one-time-link' | 'new-password' | 'new-factor' | 'confirm-email'

/** The token of the newest link to a page. Expects the newest mail first. */
export const mailedLink = (mails: Mails, page: Page, to?: string): { selector: string; token: string } => {
  const mail = mails.find(one => (to === undefined || one.to === to) && one.text.includes(`/${page}#`))
  const [, selector = '', token = ''] = /#([\w-]+)\.([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (!token) throw new Error(`no mail leads to ${page}`)
  return { selector, token }
}
