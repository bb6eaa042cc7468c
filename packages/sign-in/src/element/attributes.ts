import type { SsoProviderName } from '@gatehouse/wire'
import { deriveAccent } from '../accent.ts'
import type { Density, Theme } from '../appearance/appearance.tsx'
import type { ServerAddress } from '../config.ts'
import { logError } from '../log.ts'
import type { SignInMethod } from '../pages/login/login-methods.tsx'
import type { SignInOptions } from '../sign-in.tsx'

/** The server's address as one URL: `https://sign-in.example.com:8443/gate`. */
const serverOf = (address: string): ServerAddress => {
  const url = URL.parse(address, document.baseURI)
  if (!url) {
    logError(`the attribute server is not an address: ${address}`)
    return {}
  }
  const { protocol, hostname, port, pathname } = url
  return { scheme: protocol.slice(0, -1), host: hostname, port, basePath: pathname }
}

const accentOf = (color: string) => {
  try {
    return { accent: deriveAccent(color) }
  } catch (error) {
    logError(`the attribute accent: ${error instanceof Error ? error.message : error}`)
    return {}
  }
}

const pageOf = (value: string): SignInOptions['page'] => (value === 'login' || value === 'forgot-password' ? value : undefined)

const listOf = (value: string) => value.split(/[\s,]+/).filter(Boolean)

/** The options that each attribute sets. A boolean attribute means true, whatever its value. */
const attributes: { [name: string]: (value: string) => Partial<SignInOptions> } = {
  server: value => ({ server: serverOf(value) }),
  page: value => ({ page: pageOf(value) }),
  // The widget ignores unknown names and values.
  providers: value => ({ providers: listOf(value) as SsoProviderName[] }),
  methods: value => ({ methods: listOf(value) as SignInMethod[] }),
  lang: value => ({ lang: value }),
  theme: value => ({ theme: value as Theme }),
  density: value => ({ density: value as Density }),
  passkeys: () => ({ passkeys: true }),
  'submit-code-when-complete': () => ({ submitCodeWhenComplete: true }),
  'auto-focus': () => ({ autoFocus: true }),
  accent: accentOf,
  'login-url': value => ({ loginUrl: value }),
}

export const attributeNames = Object.keys(attributes)

/** The options that an element's attributes set. */
export const optionsOf = (element: Element): SignInOptions =>
  Object.assign(
    {},
    ...attributeNames.map(name => {
      const value = element.getAttribute(name)
      return value === null ? {} : attributes[name]?.(value)
    }),
  )
