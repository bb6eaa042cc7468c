import type { SsoProviderName } from '@gatehouse/wire'
import { groupNameForm, isGroupName } from '../forward-auth/rules/group-names.ts'
import type { ProviderConfig } from '../sso/provider-config.ts'

type Reader = {
  read: (name: string) => string | undefined
  problem: (name: string, sentence: string) => void
}

const all = [
  { provider: 'Google', name: 'google', prefix: 'GATEHOUSE_GOOGLE' },
  { provider: 'Azure', name: 'azure', prefix: 'GATEHOUSE_AZURE' },
  { provider: 'Pak', name: 'pak', prefix: 'GATEHOUSE_PAK' },
] as const

/** The id of Microsoft's tenant for personal accounts. */
const privateAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad'
const severalTenants = new Set(['common', 'organizations', 'consumers', privateAccounts])

/** Reads the configured providers. Reports what an incomplete one lacks. */
export const readProviders = (reader: Reader, production: boolean): ProviderConfig[] => {
  const trusted =
    reader
      .read('GATEHOUSE_SSO_TRUSTED')
      ?.split(',')
      .map(name => name.trim()) ?? []
  if (!trusted.every(name => all.some(known => known.name === name)))
    reader.problem('GATEHOUSE_SSO_TRUSTED', ' must name providers: google, azure or pak, separated by commas')
  const groups = readProviderGroups(reader)
  return all.flatMap(({ provider, name, prefix }): ProviderConfig[] => {
    const [clientId, clientSecret] = [reader.read(`${prefix}_CLIENT_ID`), reader.read(`${prefix}_CLIENT_SECRET`)]
    const tenant = name === 'azure' ? reader.read('GATEHOUSE_AZURE_TENANT') : undefined
    const named = reader.read(`${prefix}_ISSUER`)
    if (!clientId && !clientSecret && !tenant && !named) return []
    const missing = [
      ...(clientId ? [] : [`${prefix}_CLIENT_ID`]),
      ...(clientSecret ? [] : [`${prefix}_CLIENT_SECRET`]),
      ...(name === 'azure' && !tenant && !named ? ['GATEHOUSE_AZURE_TENANT'] : []),
      ...(name === 'pak' && !named ? ['GATEHOUSE_PAK_ISSUER'] : []),
    ]
    for (const one of missing) reader.problem(one, ` must be set as well, for ${provider === 'Azure' ? 'Microsoft' : provider} sign-in`)
    const tenants = tenant?.includes(',') ? tenant.split(',').map(one => one.trim().toLowerCase()) : []
    if (!tenants.every(isTenantId)) reader.problem('GATEHOUSE_AZURE_TENANT', ' must name several tenants by their ids, separated by commas')
    if (tenant && tenants.length === 0 && !/^[\w.-]{1,128}$/.test(tenant))
      reader.problem('GATEHOUSE_AZURE_TENANT', ' must be a tenant’s id or domain, several ids separated by commas, or common')
    const realm = tenants.length === 0 ? tenant : tenants.includes(privateAccounts) ? 'common' : 'organizations'
    const issuer = named ?? (name === 'google' ? 'https://accounts.google.com' : `https://login.microsoftonline.com/${realm}/v2.0`)
    if (missing.length === 0 && !isIssuer(issuer, production)) reader.problem(`${prefix}_ISSUER`, ' must be an https address without query')
    if (missing.length > 0 || !clientId || !clientSecret) return []
    // If GATEHOUSE_AZURE_ISSUER names Microsoft's own server, that issuer decides whose users can sign in, not the tenant.
    const isNamed = named !== undefined && URL.parse(named)?.hostname === 'login.microsoftonline.com'
    const oneTenant =
      name === 'azure' && tenant !== undefined && tenants.length === 0 && !severalTenants.has(tenant.toLowerCase()) && !isNamed
    return [
      {
        provider,
        name,
        issuer,
        clientId,
        clientSecret,
        trusted: trusted.includes(name),
        oneTenant,
        tenants,
        groups: groups.get(name) ?? new Map(),
      },
    ]
  })
}

/**
 * Reads which group each value of the claim `groups` stands for. Other values have no effect: otherwise a provider could put a user in any
 * group, even one whose members an application treats as administrators.
 */
const readProviderGroups = (reader: Reader): Map<string, Map<string, string>> => {
  const byProvider = new Map<string, Map<string, string>>()
  for (const entry of reader.read('GATEHOUSE_SSO_GROUPS')?.split(',') ?? []) {
    const [, provider = '', value = '', group = ''] = /^\s*(google|azure|pak):(\S[^,]*?)=([^=,\s]+)\s*$/.exec(entry) ?? []
    if (!isGroupName(group)) {
      reader.problem('GATEHOUSE_SSO_GROUPS', `: ‘${entry.trim()}’ must be like azure:8b1f0c3a=oncall, and the group ${groupNameForm}`)
      continue
    }
    const known = byProvider.get(provider) ?? new Map<string, string>()
    byProvider.set(provider, known.set(value, group))
  }
  return byProvider
}

/**
 * Reads which providers the sign-in page offers, in their order. Without the variable a development server offers all three (§2). In
 * production it offers only configured providers, and Pak, whose button says that it is not ready. Other buttons would lead nowhere.
 */
export const readShownProviders = (reader: Reader, production: boolean, configured: readonly ProviderConfig[]): SsoProviderName[] => {
  const isUsable = (name: SsoProviderName) => !production || name === 'pak' || configured.some(one => one.name === name)
  const text = reader.read('GATEHOUSE_PROVIDERS')
  if (text === undefined) return all.map(({ name }) => name).filter(isUsable)
  if (text.trim() === 'none') return []
  const named = text.split(',').map(name => name.trim())
  const known = all.filter(one => named.includes(one.name))
  if (known.length !== named.length) {
    reader.problem('GATEHOUSE_PROVIDERS', ' must be none, or name each provider once: google, azure or pak, separated by commas')
    return []
  }
  for (const { name, prefix } of known.filter(one => !isUsable(one.name)))
    reader.problem('GATEHOUSE_PROVIDERS', ` names ${name}, which is not configured: set ${prefix}_CLIENT_ID, or leave ${name} out`)
  return known.map(({ name }) => name).toSorted((a, b) => named.indexOf(a) - named.indexOf(b))
}

const isTenantId = (text: string) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text)

/** Accepts http only for a provider on this machine, during development. */
const isIssuer = (text: string, production: boolean): boolean => {
  const url = URL.parse(text)
  // With a well-known path the library would accept any issuer that the document names.
  if (!url || url.search || url.hash || url.username || url.pathname.includes('/.well-known/')) return false
  return url.protocol === 'https:' || (!production && url.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
}
