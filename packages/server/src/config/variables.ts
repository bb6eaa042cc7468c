import { nearest } from './value-formats.ts'

const names = [
  'GATEHOUSE_PUBLIC_URL',
  'GATEHOUSE_LISTEN',
  'GATEHOUSE_DATA_DIR',
  'GATEHOUSE_DATABASE_URL',
  'GATEHOUSE_MASTER_KEY',
  'GATEHOUSE_MASTER_KEY_FILE',
  'GATEHOUSE_SMTP_URL',
  'GATEHOUSE_MAIL_FROM',
  'GATEHOUSE_NAME',
  'GATEHOUSE_ACCENT',
  'GATEHOUSE_BRAND_DIR',
  'GATEHOUSE_HELP_URL',
  'GATEHOUSE_PRIVACY_URL',
  'GATEHOUSE_IMPRINT_URL',
  'GATEHOUSE_NOTICE',
  'GATEHOUSE_METRICS_LISTEN',
  'GATEHOUSE_HASH_THREADS',
  'GATEHOUSE_DRAIN',
  'GATEHOUSE_ADMINS',
  'GATEHOUSE_DASHBOARD_URL',
  'GATEHOUSE_SECOND_FACTOR',
  'GATEHOUSE_PHISHING_RESISTANT_FROM',
  'GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE',
  'GATEHOUSE_PASSKEY_RP_ID',
  'GATEHOUSE_PASSKEY_RP_ID_BEFORE',
  'GATEHOUSE_SECURITY_CONTACT',
  'GATEHOUSE_BREACHED_PASSWORDS',
  'GATEHOUSE_ORIGINS',
  'GATEHOUSE_TRUSTED_PROXIES',
  'GATEHOUSE_PROTECTED_ORIGINS',
  'GATEHOUSE_RULES',
  'GATEHOUSE_COOKIE_DOMAIN',
  'GATEHOUSE_GOOGLE_CLIENT_ID',
  'GATEHOUSE_GOOGLE_CLIENT_SECRET',
  'GATEHOUSE_GOOGLE_ISSUER',
  'GATEHOUSE_AZURE_TENANT',
  'GATEHOUSE_AZURE_CLIENT_ID',
  'GATEHOUSE_AZURE_CLIENT_SECRET',
  'GATEHOUSE_AZURE_ISSUER',
  'GATEHOUSE_PAK_ISSUER',
  'GATEHOUSE_PAK_CLIENT_ID',
  'GATEHOUSE_PAK_CLIENT_SECRET',
  'GATEHOUSE_PROVIDERS',
  'GATEHOUSE_SSO_PROVISION',
  'GATEHOUSE_SSO_TRUSTED',
  'GATEHOUSE_SSO_PRIVATE',
  'GATEHOUSE_PUSH_PRIVATE',
  'GATEHOUSE_NTFY_URL',
  'GATEHOUSE_GOTIFY_URL',
  'GATEHOUSE_GOTIFY_TOKEN',
  'GATEHOUSE_ADMIN_EMAIL',
  'GATEHOUSE_ADMIN_PASSWORD',
] as const

export type Name = (typeof names)[number]

/** Reads variables and collects their problems. A wrong value is replaced by a default, but `readConfig` then throws. */
export const createReader = (environment: NodeJS.ProcessEnv) => {
  const problems: string[] = []
  const problem = (name: string, sentence: string) => {
    problems.push(`${name}${sentence}.`)
  }
  const known: readonly string[] = names
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('GATEHOUSE_') || known.includes(name)) continue
    const near = nearest(name, known)
    problem(name, ` is not a Gatehouse variable${near ? `; did you mean ${near}` : ''}`)
  }
  // An empty variable counts as unset: compose files and unit files often pass empty ones.
  const read = (name: Name) => environment[name] || undefined
  const parse = <T>(name: Name, otherwise: string, parseText: (text: string) => T | undefined, form: string): T | undefined => {
    const value = parseText(read(name) ?? otherwise)
    if (value === undefined) problem(name, ` ${form}`)
    return value
  }
  const list = (name: Name, accept: (item: string) => boolean, form: string): string[] => {
    const items =
      read(name)
        ?.split(',')
        .map(item => item.trim()) ?? []
    if (!items.every(accept)) problem(name, ` must be ${form}, separated by commas`)
    return items
  }
  return { problems, problem, read, parse, list }
}
export type Reader = ReturnType<typeof createReader>
