import type { Page } from '@playwright/test'
import { expect, signInPage } from './gatehouse.ts'

/** Adds an authenticator that verifies the user without asking. `synced`: its passkeys are copied to the user's other devices. */
export const addAuthenticator = async (page: Page, transport: 'internal' | 'usb' = 'internal', { synced = false } = {}) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    defaultBackupEligibility: synced,
    defaultBackupState: synced,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    /** Sets whether the user touches the authenticator when it asks. */
    answers: (enabled: boolean) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Sets whether the authenticator recognizes the user. */
    verifiesUser: (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Sets the counter of its passkeys. */
    setCounter: async (signCount: number) => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      for (const credential of credentials) {
        await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId })
        await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount } })
      }
    },
    /** Removes the authenticator, as if the user had lost it. */
    remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** The ids of its passkeys, as the server writes them. */
    ids: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'))
    },
  }
}

/** Turns the autofill offer off and leaves the button. Otherwise the virtual authenticator would accept the offer before the click. */
export const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

export const withPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
export const signedIn = (page: Page) => expect(page).toHaveURL(/\/(account|recovery-codes)$/)

/** Creates a passkey for the signed-in user, with the calls that the account page makes. */
export const addPasskey = (page: Page) =>
  page.evaluate(async () => {
    const post = async (path: string, body: object) => {
      const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return response.json()
    }
    const options = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/passkey/add-options', {}))
    const made = await navigator.credentials.create({ publicKey: options })
    if (!(made instanceof PublicKeyCredential)) throw new Error('no passkey')
    const { id, response } = made.toJSON()
    if (!('attestationObject' in response)) throw new Error('no new passkey')
    const { clientDataJSON, attestationObject } = response
    return post('/passkey/add', { credential: { id, rawId: id, type: 'public-key', response: { clientDataJSON, attestationObject } } })
  })

/**
 * Signs in with the password, adds a passkey and signs out.
 * @param answers whether the authenticator answers from then on. If it does, the autofill of the sign-in page signs in at once
 */
export const startWithPasskey = async (page: Page, { answers }: { answers: boolean }) => {
  const authenticator = await addAuthenticator(page)
  await page.goto('/')
  await signInPage(page).signIn()
  await signedIn(page)
  await addPasskey(page)
  await authenticator.answers(answers)
  await signOut(page)
  return authenticator
}

export const signOut = async (page: Page) => {
  await page.context().clearCookies()
  await page.goto('/')
}

/** A call of the page to the password manager. For the name `create`, `options` is the mediation. */
export type ManagerCall = { name: string; options: unknown }

/**
 * Records what the page tells the password manager, and how it asks for passkeys. Chromium's virtual authenticator does not support signals
 * or creation without asking, so this function makes such a creation an ordinary one.
 */
export const recordManagerCalls = async (page: Page): Promise<ManagerCall[]> => {
  const calls: ManagerCall[] = []
  await page.exposeFunction('noteManagerCall', (name: string, options: unknown) => void calls.push({ name, options }))
  await page.addInitScript(() => {
    if (typeof PublicKeyCredential === 'undefined') return
    const note = (name: string, options: unknown) => Reflect.get(window, 'noteManagerCall')(name, options)
    const signals = ['signalAllAcceptedCredentials', 'signalCurrentUserDetails', 'signalUnknownCredential']
    for (const name of signals) Reflect.set(PublicKeyCredential, name, (options: unknown) => note(name, options))
    Reflect.set(PublicKeyCredential, 'getClientCapabilities', async () => ({ conditionalCreate: true }))
    const create = navigator.credentials.create.bind(navigator.credentials)
    navigator.credentials.create = async ({ mediation, ...options }: CredentialCreationOptions & { mediation?: string } = {}) => {
      await note('create', mediation ?? 'optional')
      return create(options)
    }
  })
  return calls
}
