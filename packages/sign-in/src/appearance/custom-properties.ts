/**
 * The custom properties that a host page can set, on `:root` or on an element around the widget. A later version may add some;
 * renaming or removing one is a breaking change. docs/appearance.md describes each.
 */
export const customProperties = [
  '--gatehouse-page',
  '--gatehouse-card',
  '--gatehouse-card-edge',
  '--gatehouse-shadow',
  '--gatehouse-text',
  '--gatehouse-text-quiet',
  '--gatehouse-line',
  '--gatehouse-field',
  '--gatehouse-field-edge',
  '--gatehouse-field-edge-hover',
  '--gatehouse-accent',
  '--gatehouse-accent-hover',
  '--gatehouse-accent-pressed',
  '--gatehouse-accent-edge',
  '--gatehouse-on-accent',
  '--gatehouse-link',
  '--gatehouse-ring',
  '--gatehouse-button',
  '--gatehouse-button-hover',
  '--gatehouse-button-pressed',
  '--gatehouse-button-edge',
  '--gatehouse-error',
  '--gatehouse-error-soft',
  '--gatehouse-error-edge',
  '--gatehouse-success',
  '--gatehouse-success-soft',
  '--gatehouse-success-edge',
  '--gatehouse-warning',
  '--gatehouse-warning-soft',
  '--gatehouse-light',
  '--gatehouse-font',
  '--gatehouse-font-code',
  '--gatehouse-radius',
  '--gatehouse-quick',
] as const

/** The name of a custom property of the widget. */
export type CustomProperty = (typeof customProperties)[number]

/** Values for some of the custom properties: `{ '--gatehouse-radius': '2px' }`. */
export type CustomProperties = { readonly [Name in CustomProperty]?: string | undefined }
