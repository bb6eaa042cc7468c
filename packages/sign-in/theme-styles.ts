import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CSSOptions } from 'vite'

/** PostCSS comes with Vite, and so do its types. */
type Styles = Exclude<NonNullable<CSSOptions['postcss']>, string>
type Plugin = Extract<NonNullable<Styles['plugins']>[number], { postcssPlugin: string }>

const theme = resolve(import.meta.dirname, '../ui/src/layout/theme.css')

/** Custom properties with a light and a dark value: `--gatehouse-text` and others. */
const names = [...readFileSync(theme, 'utf8').matchAll(/(--gatehouse-[a-z-]+):\s*light-dark\(/g)].map(([, name = '']) => name)

const ownName = (name: string) => name.replace('--gatehouse-', '--gatehouse-own-')

/** The toggles of a theme. One is `initial`, so its fallback applies; the other is empty, so its fallback does not. */
const toggles = {
  light: '--gatehouse-if-light: initial; --gatehouse-if-dark: ;',
  dark: '--gatehouse-if-light: ; --gatehouse-if-dark: initial;',
}

const isScheme = (value: string): value is keyof typeof toggles => value === 'light' || value === 'dark'

const follow = (light: string, dark: string) => `var(--gatehouse-if-light, ${light}) var(--gatehouse-if-dark, ${dark})`

/** `light-dark(a, b)` as a value that depends on the toggles. Colors may contain commas only in parentheses. */
const toggled = (value: string) => {
  const [, light, dark] = /^light-dark\(((?:[^,()]|\([^)]*\))+),((?:[^,()]|\([^)]*\))+)\)$/.exec(value) ?? []
  if (light === undefined || dark === undefined) throw new Error(`theme.css: '${value}' is not one light-dark() of two colors`)
  return follow(light.trim(), dark.trim())
}

/** Elements whose colors depend on the toggles around them, or on their own. */
const themed = '[data-gatehouse], .gatehouse-toast.Toastify__toast-theme--dark'

/**
 * Replaces `light-dark()` in the shipped styles. Bundlers rewrite it for older browsers, and the result works only if the page
 * sets `color-scheme` on its root element. The replacement needs no rewriting.
 * The widget uses `--gatehouse-own-text`: the host's `--gatehouse-text`, or else our color for the current theme. It is computed
 * on the widget's root and not on `:root`, because an element in between may force the theme.
 */
export const themeStyles: Plugin = {
  postcssPlugin: 'gatehouse-theme',
  OnceExit: (sheet, { parse }) => {
    const made = (css: string) => parse(css, { from: theme })
    const own: string[] = []
    sheet.walkDecls(declaration => {
      const { prop, value, source } = declaration
      if (value.includes('light-dark(')) {
        if (source?.input.file !== theme) throw new Error(`${source?.input.file}: only theme.css may say light-dark()`)
        own.push(`${ownName(prop)}: var(${prop}, ${toggled(value)});`)
        declaration.remove()
        return
      }
      // Rename a color that a component changes for its content, because the content reads the widget's own name.
      if (names.includes(prop)) declaration.prop = ownName(prop)
      declaration.value = names.reduce((text, name) => text.replaceAll(`var(${name})`, `var(${ownName(name)})`), value)
      if (prop !== 'color-scheme') return
      if (isScheme(value)) declaration.after(made(toggles[value]))
      // Set on the widget's root: the host's color-scheme on `:root` outweighs a forced theme there, and must not be inherited.
      else if (value === 'light dark') declaration.value = follow('light', 'dark')
      else declaration.remove()
    })
    if (own.length === 0) return
    const themes = made(`:root { ${toggles.light} }
      @media (prefers-color-scheme: dark) { :root { ${toggles.dark} } }
      ${themed} { ${own.join(' ')} }`)
    sheet.walkRules(':root', rule => {
      rule.after(themes)
      return false
    })
  },
}
