import { setTimeout as sleep } from 'node:timers/promises'

/** An email from the server. */
export type TestMail = {
  to: string
  from: string
  subject: string
  text: string
  html: string
  at: Date
  /** The URLs in the text, in order. The button's URL comes first. */
  links: readonly string[]
  /** The code of a one-time-link email, such as `7K3M-9QXT`. */
  code: string | undefined
}

/** Which email to wait for. */
export type MailFilter = {
  to?: string | undefined
  /** A part of the subject, or a pattern. */
  subject?: string | RegExp | undefined
  /** In milliseconds; 10,000 if left out. */
  timeout?: number | undefined
}

type Caught = { to: string; from: string; subject: string; text: string; html: string; at: string }

const readMail = ({ at, ...mail }: Caught): TestMail => ({
  ...mail,
  at: new Date(at),
  links: mail.text.match(/\bhttps?:\/\/\S+/g) ?? [],
  // Crockford's Base32, on a separate line.
  code: /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/m.exec(mail.text)?.[0],
})

/** Keeps the emails that a server sends. */
export const createInbox = () => {
  const all: TestMail[] = []
  const unread: TestMail[] = []
  const waiting = new Set<() => void>()

  const receive = (caught: Caught) => {
    const mail = readMail(caught)
    all.push(mail)
    unread.push(mail)
    for (const look of [...waiting]) look()
  }

  const take = ({ to, subject }: MailFilter): TestMail | undefined => {
    const matches = (mail: TestMail) =>
      (to === undefined || mail.to === to.trim().toLowerCase()) &&
      (subject === undefined || (typeof subject === 'string' ? mail.subject.includes(subject) : mail.subject.search(subject) >= 0))
    const at = unread.findIndex(matches)
    return at < 0 ? undefined : unread.splice(at, 1)[0]
  }

  const describe = ({ to, subject, timeout }: MailFilter, patience: number) => {
    const wanted = [to && `to ${to}`, subject !== undefined && `with the subject ${subject}`].filter(Boolean).join(' ')
    const others = unread.map(mail => `\n  ${mail.to}: ${mail.subject}`).join('')
    const patient = timeout === undefined ? ' Set timeout to wait longer.' : ''
    return `No email ${wanted} arrived within ${patience} ms.${patient} ${others ? `Unread:${others}` : 'There is no unread email.'}`
  }

  /** Returns the oldest email that no earlier call has returned, and waits if there is none. @throws Error that lists the unread emails */
  const next = async (filter: MailFilter = {}): Promise<TestMail> => {
    const patience = filter.timeout ?? 10_000
    const timer = new AbortController()
    const found = Promise.withResolvers<TestMail>()
    const look = () => {
      const mail = take(filter)
      if (!mail) return
      waiting.delete(look)
      found.resolve(mail)
    }
    waiting.add(look)
    look()
    const tooLate = sleep(patience, undefined, { signal: timer.signal }).then(() => {
      throw new Error(describe(filter, patience))
    })
    // The timer rejects when it is no longer needed.
    tooLate.catch(() => {})
    try {
      return await Promise.race([found.promise, tooLate])
    } finally {
      waiting.delete(look)
      timer.abort()
    }
  }

  return { all: all as readonly TestMail[], receive, next }
}
