import {
  type PasskeyAddRequest,
  type PasskeyRequest,
  type PasskeySetUpRequest,
  type PasskeyVerifyRequest,
  passkeyRoutes,
} from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { createCalls } from './api.ts'
import { postJsonKeepalive } from './request.ts'

/** The calls of a sign-in with a passkey. They load with the pages that make them, and never reject. */
export const createPasskeyApi = (config: Pick<Config, 'baseUrl'>) => {
  const { post, postWithRetry } = createCalls(config)
  return {
    /** Options with a new challenge, which works once and for five minutes. */
    passkeyOptions: (purpose: 'SignIn' | 'SecondFactor', signal?: AbortSignal) =>
      post(passkeyRoutes.passkeyOptions.path, { purpose }, passkeyRoutes.passkeyOptions.response, signal),

    /** Signs in with a passkey alone. */
    passkeySignIn: (request: PasskeyRequest, signal?: AbortSignal) =>
      post(passkeyRoutes.passkeySignIn.path, request, passkeyRoutes.passkeySignIn.response, signal),

    /** Verifies a passkey as the second factor. */
    passkeyVerify: (request: PasskeyVerifyRequest, signal?: AbortSignal) =>
      postWithRetry(passkeyRoutes.passkeyVerify.path, request, passkeyRoutes.passkeyVerify.response, signal),

    /** Sets up a passkey as the first second factor. */
    passkeySetUp: (request: PasskeySetUpRequest, signal?: AbortSignal) =>
      postWithRetry(passkeyRoutes.passkeySetUp.path, request, passkeyRoutes.passkeySetUp.response, signal),

    /** Adds the passkey that the password manager created without asking. The call outlives the page. */
    passkeyUpgrade: (request: PasskeyAddRequest) =>
      postJsonKeepalive(config.baseUrl)(passkeyRoutes.passkeyUpgrade.path, request, passkeyRoutes.passkeyUpgrade.response),
  }
}

/** The calls of {@link createPasskeyApi}. Tests pass their own. */
export type PasskeyApi = ReturnType<typeof createPasskeyApi>
