import type { PushChannelServers } from '../factors/push/channels.ts'

type Reader = {
  read: (name: string) => string | undefined
  problem: (name: string, sentence: string) => void
}

/** Reads an http or https address that has no user, password, query or fragment. Removes a trailing slash. */
const serverOf = (reader: Reader, name: string, production: boolean): string | undefined => {
  const text = reader.read(name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain) {
    reader.problem(name, ' must be an http or https address without query, for example https://ntfy.example.com')
    return undefined
  }
  // Without https, anyone who reads the traffic learns when users sign in.
  if (production && url.protocol !== 'https:') reader.problem(name, ' must be an https address in production')
  return url.href.replace(/\/$/, '')
}

/** Reads the operator's push notification servers. */
export const readPushServers = (reader: Reader, production: boolean): PushChannelServers => {
  const ntfy = serverOf(reader, 'GATEHOUSE_NTFY_URL', production)
  const url = serverOf(reader, 'GATEHOUSE_GOTIFY_URL', production)
  const token = reader.read('GATEHOUSE_GOTIFY_TOKEN')
  if (url && !token) reader.problem('GATEHOUSE_GOTIFY_TOKEN', ' must be set as well: the token of a Gotify application')
  if (token && reader.read('GATEHOUSE_GOTIFY_URL') === undefined) reader.problem('GATEHOUSE_GOTIFY_URL', ' must be set as well')
  return { ntfy, gotify: url && token ? { url, token } : undefined }
}
