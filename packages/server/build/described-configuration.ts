import { variableSections } from '../src/config/variable-sections.ts'

type Section = (typeof variableSections)[number]

const header = '| variable | default | meaning |\n| --- | --- | --- |\n'

const tableOf = ({ variables }: Section) =>
  header + variables.map(({ name, otherwise, says }) => `| \`${name}\` | ${otherwise} | ${says} |\n`).join('')

/** Returns the configuration reference with each section's table replaced by one built from `variableSections`. */
export const withTables = (page: string): string => {
  const table = /\| variable \| default \| meaning \|\n(?:\|.*\n)+/
  const parts = page.split(/^(?=## )/m).map(part => {
    const section = variableSections.find(({ heading }) => part.startsWith(`## ${heading}\n`))
    return section ? part.replace(table, () => tableOf(section)) : part
  })
  return parts.join('')
}

const withoutMarkdown = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

/** Comment lines of at most 100 characters. */
const comment = (text: string): string => withoutMarkdown(text).replace(/(.{1,98})(?: |$)/g, '# $1\n')

const variable = ({ name, otherwise, says }: Section['variables'][number]): string => {
  const [, value] = /^`([^`]+)`$/.exec(otherwise) ?? []
  return `${comment(says)}${value === undefined ? comment(`Default: ${otherwise}.`) : ''}#${name}=${value ?? ''}\n`
}

const top = `# Settings of Gatehouse, for the unit gatehouse.service. To change one, remove the # before it.
# Put a value with spaces in double quotes. docs/configuration.md says more about each.

# With production, the server requires an https public URL, a master key and a mail server.
NODE_ENV=production
`

/** Returns gatehouse.env: `NODE_ENV=production`, and every other variable with its default, commented out. */
export const environmentFile = (): string =>
  [top, ...variableSections.map(({ heading, variables }) => `## ${heading}\n\n${variables.map(variable).join('\n')}`)].join('\n')
