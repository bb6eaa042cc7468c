import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'
import { createKeyring } from '../keyring.ts'
import { isSeen, type Seen, seenHeader, seenPath, seenPurpose } from '../seen-address.ts'
import { ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('user address')

/** An address of no machine (RFC 5737), which the doctor claims to have: it must not be believed. */
const madeUp = '192.0.2.1'

/** Which address the server sees when somebody asks for the public URL: a wrong one makes all users share their rate limits, or none have any. */
export const examineSeenAddress = async ({ publicUrl, masterKeys, trustedProxies }: Config): Promise<Finding> => {
  const proof = createKeyring(masterKeys).seal('doctor', String(Date.now()), seenPurpose)
  try {
    const answer = await ask(publicUrl.origin + publicUrl.path + seenPath, { [seenHeader]: proof, 'x-forwarded-for': madeUp })
    const seen = answer.status === 200 ? readSeen(answer.body) : undefined
    if (!seen)
      return warning(
        `The server does not say which address it sees (${answer.status}). It is an older version, has another master key, or its clock is wrong.`,
      )
    const isDirect = seen.port === answer.local.port && seen.peer === answer.local.address
    return isDirect ? ok('No proxy is between this machine and Gatehouse.') : judge(seen, trustedProxies)
  } catch (error) {
    return warning(`Which address the server sees could not be asked: ${reasonOf(error)}.`)
  }
}

const readSeen = (body: string): Seen | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return isSeen(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What follows from how a request arrived through a proxy. */
const judge = ({ address, peer, forwardedFor, isTrusted }: Seen, trustedProxies: readonly string[]): Finding => {
  const named = (forwardedFor ?? '').split(',').flatMap(entry => (['', madeUp].includes(entry.trim()) ? [] : [entry.trim()]))
  const [first] = named
  if (address === madeUp) {
    // The proxy has added this machine's address, which is listed as that of a proxy: only such machines are believed.
    if (first !== undefined && !isAnybody(trustedProxies))
      return ok(`Requests from this machine come from ${first}, which GATEHOUSE_TRUSTED_PROXIES lists, so it may claim any address.`)
    return problem(
      'Anybody can choose the address that Gatehouse sees, and so escape its rate limits: the proxy passes on X-Forwarded-For as clients send it. Let it replace the header, or list only your own proxies in GATEHOUSE_TRUSTED_PROXIES.',
    )
  }
  const shared = `Gatehouse takes ${address} for the address of every user, so they all share its rate limits`
  if (first === undefined)
    return problem(
      `${shared}. Let the proxy set X-Forwarded-For to the address that a request comes from, and list the proxy in GATEHOUSE_TRUSTED_PROXIES.`,
    )
  const listing = (more: string) => `GATEHOUSE_TRUSTED_PROXIES=${[...trustedProxies, more].join(',')}`
  if (!isTrusted) return problem(`${shared}. The proxy is not listed: set ${listing(peer)} and restart.`)
  if (first === address) return ok(`Requests from this machine are seen to come from ${address}.`)
  return warning(
    `Gatehouse takes ${address} for the user’s address, but X-Forwarded-For names ${first} before it. If ${address} is a proxy of yours, set ${listing(address)}.`,
  )
}

/** Whether addresses of anybody are listed: the made-up one is among them. */
const isAnybody = (trustedProxies: readonly string[]): boolean => {
  const listed = new BlockList()
  for (const network of trustedProxies) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) listed.addAddress(address, family)
    else listed.addSubnet(address, Number(bits), family)
  }
  return listed.check(madeUp)
}
