import { basename } from 'node:path'

/** The parts of PostCSS's types used here. PostCSS itself comes with Vite. */
type Rule = { selectors: string[]; remove: () => void; parent?: { type: string; name?: string; parent?: Rule['parent'] } | undefined }
type Declaration = { value: string; parent?: { remove: () => void } | undefined; source?: { input: { file?: string } } }
type Sheet = {
  walkRules: (visit: (rule: Rule) => void) => void
  walkDecls: (name: string, visit: (declaration: Declaration) => void) => void
}

const layered = ({ parent }: Rule) => {
  for (let above = parent; above; above = above.parent) if (above.name === 'layer') return true
  return false
}

/**
 * A host page's `#content a:hover` or `input[type=email]` must not override the widget's single class. So every selector with a
 * class gets the specificity of three IDs, and the resets, which start with `:where(`, that of two. No element needs the ID `_`.
 */
const raise = (selector: string) =>
  selector.startsWith(':where(')
    ? selector.replace(/^:where\([^)]*\)/, '$&:not(#_#_)')
    : selector.replace(/\.[a-z_][\w-]*/i, '$&:not(#_#_#_)')

/** For Vite's `css.postcss`. Leaves layers unchanged, because the host's values must override those. */
export const ownStyles = {
  plugins: [
    {
      postcssPlugin: 'gatehouse-own-styles',
      // At the end, when CSS modules have their final names.
      OnceExit: (sheet: Sheet) =>
        sheet.walkRules(rule => {
          if (!layered(rule)) rule.selectors = rule.selectors.map(raise)
        }),
    },
  ],
}

/**
 * Our own pages have no host styles to undo. Reverting every property of every element would take much of the time that the
 * browser needs to style the sign-in page. The raised specificity would make the styles in each page longer.
 * Our pages also have only one density.
 */
export const stylesOfOwnPages = {
  plugins: [
    {
      postcssPlugin: 'gatehouse-without-resets',
      Once: (sheet: Sheet) => {
        sheet.walkRules(rule => {
          if (rule.selectors.every(selector => selector.includes('[data-gatehouse-density'))) rule.remove()
        })
        sheet.walkDecls('all', declaration => {
          // Keep the resets of toasts: they undo Toastify's styles, which these pages load too, in a layer.
          if (declaration.value.startsWith('revert') && !declaration.source?.input.file?.endsWith('toaster.css'))
            declaration.parent?.remove()
        })
      },
    },
  ],
}

const files = new Map<string, string>()

/**
 * The name of a CSS module's class: `gatehouse-`, the module, the class. Without a hash, which compresses badly. Module names must
 * therefore be unique.
 */
export const scopedName = (local: string, file: string): string => {
  const path = file.replace(/\?.*$/, '')
  const module = basename(path, '.module.css')
  const before = files.get(module)
  if (before !== undefined && before !== path) throw new Error(`${before} and ${path} have one name: their classes could not be told apart`)
  files.set(module, path)
  return `gatehouse-${module}-${local}`
}
