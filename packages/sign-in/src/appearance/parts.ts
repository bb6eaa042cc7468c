/**
 * The parts of the widget that a host page can style, as values of `data-part`. A later version may add parts; renaming or removing
 * one is a breaking change. docs/appearance.md describes each.
 */
export const parts = [
  'root',
  'card',
  'logo',
  'title',
  'text',
  'form',
  'field',
  'label',
  'input',
  'code-input',
  'field-error',
  'password-toggle',
  'forgot-password',
  'primary-button',
  'button',
  'icon',
  'last-used',
  'passkey',
  'link',
  'divider',
  'providers',
  'provider',
  'tag',
  'note',
  'banner',
  'spinner',
  'loading',
  'status',
  'authenticator',
  'qr-code',
  'key',
  'number-panel',
  'number',
  'toast',
  'toast-title',
  'toast-text',
  'toast-detail',
  'toast-close',
] as const

/** The name of a part: `[data-part="primary-button"]`. */
export type Part = (typeof parts)[number]
