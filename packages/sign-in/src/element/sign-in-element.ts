import type { Onward } from '@gatehouse/wire'
import type { SignInEvent } from '../events.ts'
import { mountSignIn } from '../mount.tsx'
import type { ErrorReport, SignInOptions } from '../sign-in.tsx'
import type { ChosenPage } from '../use-page.ts'
import { attributeNames, optionsOf } from './attributes.ts'

/**
 * The events of the element. All bubble. `preventDefault()` on `gatehouse-signed-in` keeps the user on the page, and on
 * `gatehouse-page-change` refuses the change.
 */
type ElementEvents = {
  'gatehouse-event': SignInEvent
  'gatehouse-signed-in': Onward
  'gatehouse-page-change': ChosenPage
  'gatehouse-error': ErrorReport
}

/** Options that are properties of the element. A property takes precedence over the attribute with the same name. */
const properties = [
  'server',
  'logo',
  'accent',
  'heading',
  'messages',
  'providers',
  'methods',
  'theme',
  'density',
  'properties',
  'slots',
  'providerNotes',
  'autoFocus',
  'initialPage',
  'page',
  'loginUrl',
  'submitCodeWhenComplete',
  'passkeys',
] as const satisfies (keyof SignInOptions)[]

/** The element `<gatehouse-sign-in>`, with the options of the widget as properties. */
export type SignInElement = HTMLElement & Pick<SignInOptions, (typeof properties)[number]>

declare global {
  interface HTMLElementTagNameMap {
    'gatehouse-sign-in': SignInElement
  }
  interface HTMLElementEventMap {
    'gatehouse-event': CustomEvent<SignInEvent>
    'gatehouse-signed-in': CustomEvent<Onward>
    'gatehouse-page-change': CustomEvent<ChosenPage>
    'gatehouse-error': CustomEvent<ErrorReport>
  }
}

/**
 * Defines the custom element, once. It renders the widget in the light DOM, so password managers and labels work as in any form. Does
 * nothing where custom elements do not exist, for example on a server.
 * @param name default: `gatehouse-sign-in`
 */
export const defineSignInElement = (name = 'gatehouse-sign-in') => {
  if (!('customElements' in globalThis) || customElements.get(name)) return
  customElements.define(name, createElementClass())
}

const createElementClass = () => {
  class SignInHtmlElement extends HTMLElement {
    static observedAttributes = attributeNames
    readonly #own = new Map<string, unknown>()
    #mounted: ReturnType<typeof mountSignIn> | undefined

    getOption(name: string) {
      return this.#own.get(name)
    }

    setOption(name: string, value: unknown) {
      this.#own.set(name, value)
      this.#update()
    }

    connectedCallback() {
      this.#adoptProperties()
      this.#mounted ??= mountSignIn(this, this.#options())
    }

    disconnectedCallback() {
      // Moving the element within the page keeps what the user typed.
      queueMicrotask(() => {
        if (this.isConnected) return
        this.#mounted?.()
        this.#mounted = undefined
      })
    }

    attributeChangedCallback() {
      this.#update()
    }

    /** The page may set properties before it loads this script. They would shadow those of the class. */
    #adoptProperties() {
      for (const name of properties) {
        if (!Object.hasOwn(this, name)) continue
        const value: unknown = Reflect.get(this, name)
        Reflect.deleteProperty(this, name)
        this.#own.set(name, value)
      }
    }

    #update() {
      this.#mounted?.update(this.#options())
    }

    #tell<Name extends keyof ElementEvents>(name: Name, detail: ElementEvents[Name]) {
      return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, cancelable: true }))
    }

    #options(): SignInOptions {
      return {
        ...optionsOf(this),
        ...Object.fromEntries(this.#own),
        onEvent: event => void this.#tell('gatehouse-event', event),
        onSignedIn: next => (this.#tell('gatehouse-signed-in', next) ? undefined : 'stay'),
        onError: report => void this.#tell('gatehouse-error', report),
        onPageChange: page => {
          if (!this.#tell('gatehouse-page-change', page)) return
          if (this.#own.has('page')) this.setOption('page', page)
          else if (this.hasAttribute('page')) this.setAttribute('page', page)
        },
      }
    }
  }

  for (const name of properties) {
    Object.defineProperty(SignInHtmlElement.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: SignInHtmlElement) {
        return this.getOption(name)
      },
      set(this: SignInHtmlElement, value: unknown) {
        this.setOption(name, value)
      },
    })
  }
  return SignInHtmlElement
}
