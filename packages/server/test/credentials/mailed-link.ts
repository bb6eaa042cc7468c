type Mails = readonly { to: string; text: string }[]
type Page = 'one-time-link' | 'new-password' | 'new-factor' | 'confirm-email'

/** The two halves of the newest link that was mailed, the newest mail being the first. */
export const mailedLink = (mails: Mails, page: Page, to?: string): { selector: string; token: string } => {
  const mail = mails.find(one => (to === undefined || one.to === to) && one.text.includes(`/${page}#`))
  const [, selector = '', token = ''] = /#([\w-]+)\.([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (!token) throw new Error(`no mail leads to ${page}`)
  return { selector, token }
}
