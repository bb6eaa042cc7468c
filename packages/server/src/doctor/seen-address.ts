import { BlockList, isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { isSeen, type Seen, seenHeader, seenPath, seenPurpose } from '../http/seen-address.ts'
import { createKeyring } from '../keys/keyring.ts'
import { ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('user address')

/** A documentation address (RFC 5737), which the doctor claims to have. The server must not believe it. */
const documentationAddress = '192.0.2.1'

/**
 * Checks which client address the server sees at the public URL. A wrong address makes all users share one rate limit, or lets
 * clients evade the limits.
 */
export const examineSeenAddress = async ({ publicUrl, masterKeys, trustedProxies }: Config): Promise<Finding> => {
  const proof = createKeyring(masterKeys).seal('doctor', String(Date.now()), seenPurpose)
  try {
    const answer = await ask(publicUrl.origin + publicUrl.path + seenPath, { [seenHeader]: proof, 'x-forwarded-for': documentationAddress })
    const seen = answer.status === 200 ? readSeen(answer.body) : undefined
    if (!seen)
      return warning(
        `The server does not report which address it sees (${answer.status}). It runs an older version, uses another master key, or its clock is wrong.`,
      )
    const isDirect = seen.port === answer.local.port && seen.peer === answer.local.address
    return isDirect ? ok('There is no proxy between this machine and Gatehouse.') : judge(seen, trustedProxies)
  } catch (error) {
    return warning(`Could not ask the server which address it sees: ${reasonOf(error)}.`)
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

/** Judges how a request arrived through a proxy. */
const judge = ({ address, peer, forwardedFor, isTrusted }: Seen, trustedProxies: readonly string[]): Finding => {
  const named = (forwardedFor ?? '').split(',').flatMap(entry => (['', documentationAddress].includes(entry.trim()) ? [] : [entry.trim()]))
  const [first] = named
  if (address === documentationAddress) {
    // The proxy added this machine's address, which GATEHOUSE_TRUSTED_PROXIES lists. The server believes the header of a listed machine.
    if (first !== undefined && !trustsAnyAddress(trustedProxies))
      return ok(
        `Requests from this machine come from ${first}, which GATEHOUSE_TRUSTED_PROXIES lists, so this machine can claim any address.`,
      )
    return problem(
      'Any client can choose the address that Gatehouse sees, and so evade its rate limits: the proxy forwards X-Forwarded-For as clients send it. Configure the proxy to replace the header, or list only your own proxies in GATEHOUSE_TRUSTED_PROXIES.',
    )
  }
  const shared = `Gatehouse sees every user at the address ${address}, so they all share its rate limits`
  if (first === undefined)
    return problem(
      `${shared}. Configure the proxy to set X-Forwarded-For to the address that a request comes from, and list the proxy in GATEHOUSE_TRUSTED_PROXIES.`,
    )
  const listing = (more: string) => `GATEHOUSE_TRUSTED_PROXIES=${[...trustedProxies, more].join(',')}`
  if (!isTrusted) return problem(`${shared}. The proxy is not listed: set ${listing(peer)} and restart.`)
  if (first === address) return ok(`Gatehouse sees requests from this machine at the address ${address}.`)
  return warning(
    `Gatehouse sees the user at the address ${address}, but X-Forwarded-For names ${first} before it. If ${address} is one of your proxies, set ${listing(address)}.`,
  )
}

/** Whether the configuration trusts arbitrary addresses, and so the documentation address. */
const trustsAnyAddress = (trustedProxies: readonly string[]): boolean => {
  const listed = new BlockList()
  for (const network of trustedProxies) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) listed.addAddress(address, family)
    else listed.addSubnet(address, Number(bits), family)
  }
  return listed.check(documentationAddress)
}
