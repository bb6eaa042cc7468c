import { basename } from 'node:path'

/** What a style sheet step of PostCSS is here; PostCSS itself comes with Vite. */
type Rule = { selectors: string[]; parent?: { type: string; name?: string; parent?: Rule['parent'] } | undefined }
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
 * A host page's `#content a:hover` or `input[type=email]` must not win over the widget's one class. So each selector with a
 * class is given the weight of three ids, and the resets, which begin with `:where(`, that of two. `#_` need not be anywhere.
 */
const raise = (selector: string) =>
  selector.startsWith(':where(')
    ? selector.replace(/^:where\([^)]*\)/, '$&:not(#_#_)')
    : selector.replace(/\.[a-z_][\w-]*/i, '$&:not(#_#_#_)')

/** For Vite's `css.postcss`. What stands in a layer is left as it is: there a host's own values are to win. */
export const ownStyles = {
  plugins: [
    {
      postcssPlugin: 'gatehouse-own-styles',
      // At the end, when the names of the modules are made.
      OnceExit: (sheet: Sheet) =>
        sheet.walkRules(rule => {
          if (!layered(rule)) rule.selectors = rule.selectors.map(raise)
        }),
    },
  ],
}

/**
 * On pages of our own there is no host to win over, and none whose styles would have to be undone: to revert every property of every element
 * is half of the time that a browser takes to style the sign-in page, and the weight a tenth of what it reads.
 */
export const stylesOfOwnPages = {
  plugins: [
    {
      postcssPlugin: 'gatehouse-without-resets',
      Once: (sheet: Sheet) =>
        sheet.walkDecls('all', declaration => {
          // What a toast is undone of is Toastify's, which comes to these pages as well, in a layer.
          if (declaration.value.startsWith('revert') && !declaration.source?.input.file?.endsWith('toaster.css'))
            declaration.parent?.remove()
        }),
    },
  ],
}

const files = new Map<string, string>()

/**
 * The name of a module's class: `gatehouse-`, the module, the class. It needs no hash, which would not pack well and stand in
 * script and style sheet, as long as no two modules have one name.
 */
export const scopedName = (local: string, file: string): string => {
  const path = file.replace(/\?.*$/, '')
  const module = basename(path, '.module.css')
  const before = files.get(module)
  if (before !== undefined && before !== path) throw new Error(`${before} and ${path} have one name: their classes could not be told apart`)
  files.set(module, path)
  return `gatehouse-${module}-${local}`
}
