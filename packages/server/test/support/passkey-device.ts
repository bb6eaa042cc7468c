// The authenticator of @gatehouse/testing, with which tests also make mistakes.
export * from '../../../testing/src/passkeys/authenticator.ts'
