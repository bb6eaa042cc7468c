export type { TestCookie } from './cookies.ts'
export type { MailFilter, TestMail } from './mails.ts'
export type { GatehouseOptions, TestUserOptions } from './options.ts'
export type { DevToolsSession, PageAuthenticator, PageWithDevTools } from './passkeys/playwright.ts'
export {
  type Assertion,
  type Attestation,
  type CreationOptions,
  type RequestOptions,
  type TestPasskey,
  type VirtualPasskey,
  virtualPasskey,
} from './passkeys/virtual-passkey.ts'
export { type Gatehouse, type SignInOptions, startGatehouse, type TestSession, type TestUser } from './start-gatehouse.ts'
