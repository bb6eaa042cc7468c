// The authenticator of @gatehouse/testing. Tests also make it send faulty data.
export * from '../../../testing/src/passkeys/authenticator.ts'
