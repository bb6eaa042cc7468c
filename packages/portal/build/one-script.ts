import { build } from 'rolldown'
import type { Plugin } from 'vite'

/**
 * Bundles the first script again, together with the bundler's runtime. With `codeSplitting.groups`, Rolldown puts that runtime, a
 * few hundred bytes, into its own file. Each further request delays the first paint on a slow phone.
 */
export const oneScript: Plugin = {
  name: 'one-script',
  apply: 'build',
  generateBundle: {
    order: 'pre',
    handler: async (_, bundle) => {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      const [main, runtime] = ['main', 'rolldown-runtime'].map(name => chunks.find(chunk => chunk.name === name))
      if (!main || !runtime) throw new Error('the first script or the runtime was not built')
      const sources = new Map([main, runtime].map(({ fileName, code }) => [fileName, code]))
      const resolveId = (id: string) => {
        const inBundle = id.replace('./', 'assets/')
        return sources.has(inBundle) ? inBundle : { id, external: 'relative' as const }
      }
      const { output } = await build({
        input: main.fileName,
        write: false,
        treeshake: false,
        preserveEntrySignatures: 'strict',
        plugins: [{ name: 'in-bundle', resolveId, load: id => sources.get(id) }],
        output: { codeSplitting: false, minify: true },
      })
      main.code = output[0].code
      main.imports = output[0].imports
    },
  },
}
