import type { LogoReplacement } from '@gatehouse/ui/layout/logo.tsx'
import type { SurfaceAttributes } from '@gatehouse/ui/layout/surface.tsx'
import type { SignInPage } from '@gatehouse/wire/page-props'
import type { ReactNode } from 'react'
import type { Accent } from '../accent.ts'
import { languageAttributes } from '../language/language-attributes.ts'
import type { SignInMethod } from '../pages/login/login-methods.tsx'
import type { CustomProperties } from './custom-properties.ts'
import { Drawn, type DrawSlot, isDrawn, Slot, type Slots } from './slot.tsx'

/** How much room the widget takes. */
export type Density = 'comfortable' | 'compact'

/** The theme of the widget. `auto` is the theme that the host page forces around the widget, or else the system's. */
export type Theme = 'auto' | 'light' | 'dark'

/** Options for the look of the widget. */
export type AppearanceOptions = {
  /** Default: `auto`. */
  theme?: Theme | undefined
  /**
   * `compact` makes fields and buttons shorter and gaps smaller. On touch screens, fields and buttons keep their full height. Default:
   * `comfortable`.
   */
  density?: Density | undefined
  /** Custom properties for this widget alone: `{ '--gatehouse-radius': '2px' }`. Default: those of the page. */
  properties?: CustomProperties | undefined
  /** Content of the host page inside the widget. Default: none. */
  slots?: Slots | undefined
  /**
   * The ways to sign in on the login page, in this order. `passkey` also needs the option `passkeys`. Default: the form, then a passkey,
   * then the providers. `link` sends a one-time link by email.
   */
  methods?: readonly SignInMethod[] | undefined
}

type Given = AppearanceOptions & {
  lang: string | undefined
  accent: Accent | undefined
  logo: LogoReplacement | Node | DrawSlot
  page: SignInPage['at']
}

/** The options as attributes of the widget's root and as elements. */
export type Appearance = {
  attributes: SurfaceAttributes
  properties: Readonly<Record<string, string | undefined>> | undefined
  /** Undefined unless the host page draws the logo. */
  logo: ReactNode
  header: ReactNode
  aboveForm: ReactNode
  belowForm: ReactNode
  footer: ReactNode
  methods: readonly SignInMethod[] | undefined
}

export const appearanceOf = ({ theme, density, properties, slots = {}, methods, lang, accent, logo, page }: Given): Appearance => ({
  attributes: {
    ...languageAttributes(lang),
    'data-gatehouse-theme': theme === 'light' || theme === 'dark' ? theme : undefined,
    'data-gatehouse-density': density === 'compact' ? density : undefined,
  },
  // Ignores an accent that is a string. Otherwise, React would throw, and a page without TypeScript
  // that passes a color would lose the form.
  properties: { ...(typeof accent === 'object' && accent), ...properties },
  logo: isDrawn(logo) ? <Drawn name="logo" content={logo} page={page} /> : undefined,
  header: <Slot name="header" part="header" content={slots.header} page={page} />,
  aboveForm: <Slot name="aboveForm" part="above-form" content={slots.aboveForm} page={page} />,
  belowForm: <Slot name="belowForm" part="below-form" content={slots.belowForm} page={page} />,
  footer: <Slot name="footer" part="footer" content={slots.footer} page={page} />,
  methods,
})
