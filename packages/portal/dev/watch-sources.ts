import { join, relative } from 'node:path'
import type { ViteDevServer } from 'vite'

/** An editor may write several files at once. */
const quietMs = 60

/** Sources that the server has loaded or built: its own, the wire format, the pages' HTML files, and texts, which it writes into pages. */
const ofServer = /^(?:(?:server|wire)\/src|portal\/build|(?:sign-in|portal)\/src\/messages|language)\/.*(?<!\.test)\.(?:ts|json)$/

/**
 * Calls `onServerChange` as soon as a source of the server changes. Once no more files change, the promise resolves to the name of the last
 * one. Vite updates all other sources in the open pages. Pages that run no script load again.
 */
export const watchSources = (vite: ViteDevServer, packages: string, onServerChange: (file: Promise<string>) => void) => {
  const { client, ssr } = vite.environments
  vite.watcher.add(['server/src', 'wire/src'].map(folder => join(packages, folder)))
  let quiet: { timer: NodeJS.Timeout | undefined; resolve: (file: string) => void } | undefined
  vite.watcher.on('all', (_, path) => {
    const file = relative(packages, path).replaceAll('\\', '/')
    if (ofServer.test(file)) {
      if (!quiet) {
        const { promise, resolve } = Promise.withResolvers<string>()
        quiet = { timer: undefined, resolve }
        onServerChange(promise)
      }
      const { timer, resolve } = quiet
      clearTimeout(timer)
      quiet.timer = setTimeout(() => {
        quiet = undefined
        resolve(`packages/${file}`)
      }, quietMs)
    } else if (ssr.moduleGraph.getModulesByFile(path) && !client.moduleGraph.getModulesByFile(path)) {
      client.hot.send({ type: 'full-reload' })
    }
  })
}
