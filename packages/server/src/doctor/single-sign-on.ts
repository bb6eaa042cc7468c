import * as client from 'openid-client'
import type { Config } from '../config/config.ts'
import { createProviderFetch } from '../http-client/guarded-fetch.ts'
import { limits } from '../limits.ts'
import type { ProviderConfig } from '../sso/provider-config.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('single sign-on')

/** Checks that each configured provider responds, and reports the redirect URI to register there. */
export const examineProviders = async (config: Config): Promise<Finding[]> => {
  if (config.providers.length === 0) return [ok('No provider is set up. To set one up, see docs/single-sign-on.md')]
  const findings = await Promise.all(config.providers.map(provider => examineProvider(config, provider)))
  return [...findings.flat(), policy(config)]
}

const examineProvider = async ({ publicUrl, ssoPrivate }: Config, provider: ProviderConfig): Promise<Finding[]> => {
  const name = { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' }[provider.provider]
  const redirect = ok(`Register this redirect URI at ${name}: ${publicUrl.origin}${publicUrl.path}/auth/sso/${provider.name}/callback`)
  const plain = new URL(provider.issuer).protocol === 'http:'
  const fetch = createProviderFetch({ allowInside: ssoPrivate || plain })
  try {
    await client.discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
      [client.customFetch]: (url, options) => fetch(url, options),
      timeout: limits.provider.patience / 1000,
      execute: plain ? [client.allowInsecureRequests] : [],
    })
    const found = `${name} answers at ${provider.issuer} and confirms this issuer.`
    return [redirect, plain ? warning(`${found} It uses http: fine for trying out, not for production.`) : ok(found)]
  } catch (error) {
    return [
      redirect,
      problem(
        `${name} cannot be reached at ${provider.issuer}: ${reasonOf(error)}. Until that is fixed, users cannot sign in with ${name}.`,
      ),
    ]
  }
}

const policy = ({ providers, ssoProvision }: Config): Finding => {
  const trusted = providers.filter(provider => provider.trusted).map(({ name }) => name)
  const who = ssoProvision
    ? 'Everyone who signs in with a provider gets an account (GATEHOUSE_SSO_PROVISION=on).'
    : 'Only linked accounts can sign in with a provider (GATEHOUSE_SSO_PROVISION=off).'
  return ok(trusted.length === 0 ? who : `${who} The second factor of ${trusted.join(' and ')} is accepted here (GATEHOUSE_SSO_TRUSTED).`)
}
