import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Gatehouse } from './gatehouse.ts'

type Mail = { to: string; subject: string; text: string; html: string }

/** The emails in the development mailbox, newest first. */
export const readMails = async ({ dataDir }: Gatehouse): Promise<Mail[]> => {
  const folder = join(dataDir, 'mail')
  const files = (await readdir(folder).catch(() => [])).filter(file => file.endsWith('.json'))
  return Promise.all(
    files
      .sort()
      .reverse()
      .map(async file => JSON.parse(await readFile(join(folder, file), 'utf8'))),
  )
}

/** Waits for an email to `to` with a link to `page`, and returns the newest such link. */
export const mailedLink = async (gatehouse: Gatehouse, to: string, page: string): Promise<string> => {
  let link = ''
  const find = async () => {
    for (const mail of (await readMails(gatehouse)).reverse())
      if (mail.to === to) link = new RegExp(`http://\\S+/${page}#[\\w.-]+`).exec(mail.text)?.[0] ?? link
    return link
  }
  await expect.poll(find, { timeout: 10_000 }).not.toBe('')
  return link
}
