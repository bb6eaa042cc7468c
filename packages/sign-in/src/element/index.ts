// The entry `@gatehouse/sign-in/element`. Importing it defines `<gatehouse-sign-in>`.

import { defineSignInElement } from './sign-in-element.ts'

defineSignInElement()

export { defineSignInElement, type SignInElement } from './sign-in-element.ts'
