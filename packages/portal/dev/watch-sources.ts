import { join, relative } from 'node:path'
import type { ViteDevServer } from 'vite'

/** An editor may write several files at once. */
const quietMs = 60

/**
 * Calls `onServerChange` with the name of the last file that changed when the server has to start again: after a change of its own
 * sources, of the wire format, or of the pages' HTML files. Vite updates everything else in the open pages; those that run no script load again.
 */
export const watchSources = (vite: ViteDevServer, packages: string, onServerChange: (file: string) => void) => {
  const { client, ssr } = vite.environments
  vite.watcher.add(['server/src', 'wire/src'].map(folder => join(packages, folder)))
  let timer: NodeJS.Timeout | undefined
  vite.watcher.on('all', (_, path) => {
    const file = relative(packages, path).replaceAll('\\', '/')
    if (/^(server|wire)\/src\/.*(?<!\.test)\.ts$|^portal\/build\/.*\.ts$/.test(file)) {
      clearTimeout(timer)
      timer = setTimeout(() => onServerChange(`packages/${file}`), quietMs)
    } else if (ssr.moduleGraph.getModulesByFile(path) && !client.moduleGraph.getModulesByFile(path)) {
      client.hot.send({ type: 'full-reload' })
    }
  })
}
