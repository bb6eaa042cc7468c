import type { Page } from '@playwright/test'

/** `rgb(1, 2, 3)` as `#010203`. */
export const hex = (rgb: string) => `#${(rgb.match(/\d+/g) ?? []).map(part => Number(part).toString(16).padStart(2, '0')).join('')}`

/** The computed colors of the visible parts of the login page. */
export const colorsOf = (page: Page) =>
  page.evaluate(() => {
    const parts = {
      text: '[data-gatehouse]',
      'primary button': 'button[type=submit]',
      field: 'input[type=email]',
      link: 'form button[type=button], form a',
      label: 'label',
      'provider button': 'a[href*=ssoLogin]',
      toast: '.Toastify__toast-theme--dark',
      error: '[aria-invalid=true]',
    }
    const seen: Record<string, { color: string; background: string; border: string; scheme: string }> = {}
    for (const [name, selector] of Object.entries(parts)) {
      const element = document.querySelector(selector)
      if (!element) continue
      const style = getComputedStyle(element)
      // Compare what is painted: the computed keyword depends on where the scheme is set.
      const scheme =
        style.colorScheme === 'light dark' ? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') : style.colorScheme
      seen[name] = { color: style.color, background: style.backgroundColor, border: style.borderTopColor, scheme }
    }
    return seen
  })

/** The colors of packages/ui/src/layout/theme.css that a bundler lost when it replaced `light-dark()`. */
export const primary = {
  light: {
    'primary button': { background: 'rgb(47, 85, 212)', color: 'rgb(255, 255, 255)' },
    text: { color: 'rgb(22, 26, 34)' },
    'provider button': { background: 'rgb(255, 255, 255)', border: 'rgb(201, 206, 215)' },
  },
  dark: {
    'primary button': { background: 'rgb(70, 104, 238)', color: 'rgb(255, 255, 255)' },
    text: { color: 'rgb(233, 236, 242)' },
    'provider button': { background: 'rgb(26, 31, 41)', border: 'rgb(58, 67, 82)' },
  },
}
