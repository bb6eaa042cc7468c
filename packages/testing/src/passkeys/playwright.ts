import type { TestPasskey } from './virtual-passkey.ts'

/** The part of Playwright's CDPSession that the package needs, so that the package does not depend on Playwright. */
export type DevToolsSession = {
  send(method: 'WebAuthn.enable'): Promise<unknown>
  send(
    method: 'WebAuthn.addVirtualAuthenticator',
    parameters: {
      options: {
        protocol: 'ctap2'
        transport: 'internal'
        hasResidentKey: boolean
        hasUserVerification: boolean
        isUserVerified: boolean
        automaticPresenceSimulation: boolean
        defaultBackupEligibility: boolean
        defaultBackupState: boolean
      }
    },
  ): Promise<{ authenticatorId: string }>
  send(
    method: 'WebAuthn.addCredential',
    parameters: {
      authenticatorId: string
      credential: {
        credentialId: string
        isResidentCredential: boolean
        rpId: string
        privateKey: string
        userHandle: string
        signCount: number
        backupEligibility: boolean
        backupState: boolean
      }
    },
  ): Promise<unknown>
  send(method: 'WebAuthn.setAutomaticPresenceSimulation', parameters: { authenticatorId: string; enabled: boolean }): Promise<unknown>
  send(method: 'WebAuthn.removeVirtualAuthenticator', parameters: { authenticatorId: string }): Promise<unknown>
}

/** The part of Playwright's Page that the package needs. */
export type PageWithDevTools = { context(): { newCDPSession(page: never): Promise<DevToolsSession> } }

/** Binary values of the DevTools protocol are in Base64. */
const base64 = (base64url: string) => Buffer.from(base64url, 'base64url').toString('base64')

/** The authenticator of a page. */
export type PageAuthenticator = {
  /** The authenticator's ID in the DevTools protocol. */
  id: string
  /** Turns automatic answers on or off. When on (the default), it answers at once, like a user who chooses the passkey. */
  answers: (enabled: boolean) => Promise<void>
  /** Removes the authenticator, as if the user had lost it. */
  remove: () => Promise<void>
}

/** Gives a page of Chromium an authenticator that verifies its user, answers without asking, and holds these passkeys. */
export const addPasskeysTo = async (page: PageWithDevTools, passkeys: readonly TestPasskey[]): Promise<PageAuthenticator> => {
  const session = await page.context().newCDPSession(page as never)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
    },
  })
  for (const { credentialId, rpId, privateKey, userHandle } of passkeys)
    await session.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: {
        credentialId: base64(credentialId),
        isResidentCredential: true,
        rpId,
        privateKey: base64(privateKey),
        userHandle: base64(userHandle),
        signCount: 0,
        // The server has stored the passkey as one from a password manager, and refuses it if these flags differ.
        backupEligibility: true,
        backupState: true,
      },
    })
  return {
    id: authenticatorId,
    answers: async enabled => void (await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    remove: async () => void (await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })),
  }
}
