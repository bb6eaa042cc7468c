// The modules that `textModules` makes at build time, one for each part and language. These declarations allow no relative imports.

declare module 'gatehouse:languages' {
  export const languages: readonly { tag: string; name: string }[]
}

declare module 'gatehouse:texts/signIn' {
  import type { Messages } from '@gatehouse/sign-in/messages'

  export const loadTexts: (tag: string) => Promise<Messages>
}

declare module 'gatehouse:texts/portal' {
  import type { PortalMessages } from '@gatehouse/portal/messages/messages.ts'

  export const loadTexts: (tag: string) => Promise<PortalMessages>
}

declare module 'gatehouse:texts/account' {
  import type { AccountMessages } from '@gatehouse/portal/messages/account-messages.ts'

  export const loadTexts: (tag: string) => Promise<AccountMessages>
}

declare module 'gatehouse:texts/administration' {
  import type { AdministrationMessages } from '@gatehouse/portal/messages/administration-messages.ts'

  export const loadTexts: (tag: string) => Promise<AdministrationMessages>
}

declare module 'gatehouse:texts/approver' {
  import type { ApproverMessages } from '@gatehouse/portal/messages/approver-messages.ts'

  export const loadTexts: (tag: string) => Promise<ApproverMessages>
}
