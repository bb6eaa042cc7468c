import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../limits.ts'
import type { SendMail } from './smtp.ts'

export type KeptMail = { id: string; to: string; from: string; subject: string; at: string; text: string; html: string }

const isId = (id: string) => /^\d{13}-[0-9a-f-]{36}$/.test(id)

/** The mailbox of a development server: keeps the newest mails in a folder instead of sending them. */
export const createMailbox = (folder: string, from: string) => {
  /** The newest first. */
  const ids = async (): Promise<string[]> => {
    const files = await readdir(folder).catch(() => [])
    return files
      .map(file => file.replace(/\.json$/, ''))
      .filter(isId)
      .sort()
      .reverse()
  }

  const send: SendMail = async mail => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const id = `${String(mail.date.getTime()).padStart(13, '0')}-${mail.mailId}`
    const kept: KeptMail = { id, to: mail.to, from, subject: mail.subject, at: mail.date.toISOString(), text: mail.text, html: mail.html }
    const file = join(folder, `${id}.json`)
    await writeFile(`${file}.part`, JSON.stringify(kept, null, 2), { mode: 0o600 })
    await rename(`${file}.part`, file)
    for (const old of (await ids()).slice(limits.mail.mailbox)) await rm(join(folder, `${old}.json`), { force: true })
  }

  const find = async (id: string): Promise<KeptMail | undefined> => {
    if (!isId(id)) return undefined
    const text = await readFile(join(folder, `${id}.json`), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : (JSON.parse(text) as KeptMail)
  }

  const list = async (): Promise<KeptMail[]> => {
    const mails = await Promise.all((await ids()).map(find))
    return mails.filter(mail => mail !== undefined)
  }

  return { send, find, list }
}
export type Mailbox = ReturnType<typeof createMailbox>
