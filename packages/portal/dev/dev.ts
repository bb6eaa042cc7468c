// `npm run dev`: runs the server behind Vite. The server restarts when its sources change, and Vite
// updates the pages in open tabs.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createViteServer } from 'vite'
import { connectFront } from './front.ts'
import { freePort, listen } from './listen.ts'
import { writePages } from './pages.ts'
import { createServerProcess } from './server-process.ts'
import { readSettings } from './settings.ts'
import { watchSources } from './watch-sources.ts'

const portal = join(import.meta.dirname, '..')
const packages = join(portal, '..')

process.env.NODE_ENV = 'development'
const say = (line: string) => process.stderr.write(`  ${line}\n`)
const readSettingsOrExit = () => {
  try {
    return readSettings(process.env)
  } catch (error) {
    say(`Gatehouse cannot start: ${error instanceof Error ? error.message : error}.`)
    return process.exit(1)
  }
}
const settings = readSettingsOrExit()
const nonce = randomBytes(16).toString('base64url')

const front = createServer()
const vite = await createViteServer({
  configFile: join(portal, 'vite.config.ts'),
  base: settings.base,
  appType: 'custom',
  html: { cspNonce: nonce },
  optimizeDeps: { entries: ['src/**/*.tsx', '!**/*.test.tsx'] },
  server: {
    middlewareMode: true,
    hmr: { server: front },
    allowedHosts: [settings.publicHost],
    // Vite must not serve the whole repository, which may contain a data folder with keys and mails.
    fs: {
      allow: [...['portal', 'sign-in', 'ui', 'wire', 'language'].map(name => join(packages, name)), join(packages, '../node_modules')],
    },
    warmup: { clientFiles: ['src/sign-in-area/main.tsx'], ssrFiles: ['src/render.tsx'] },
  },
})

const pages = join(vite.config.cacheDir, 'gatehouse-pages')
const port = await freePort()
const server = createServerProcess(settings, port, pages)

let endingSince: number | undefined
const end = async (code: number) => {
  if (endingSince === undefined) {
    endingSince = performance.now()
    await server.stop()
    process.exit(code)
  }
  // Ctrl+C arrives twice: the terminal sends it, and scripts/setup.mjs forwards it. Only a later
  // signal means that the user pressed it again.
  if (performance.now() - endingSince > 1000) process.exit(code)
}
process.on('SIGINT', () => end(130))
process.on('SIGTERM', () => end(143))
// scripts/setup.mjs was killed.
process.on('disconnect', () => end(1))

let ready = Promise.resolve(false)
connectFront(front, { vite, port, nonce, ready: () => ready })
await listen(front, settings.listen).catch(error => {
  say(`Gatehouse cannot start: ${error.message}. Set GATEHOUSE_LISTEN to another address, for example 127.0.0.1:8081.`)
  return end(1)
})

const start = async () => {
  await writePages(vite, pages)
  return server.start()
}
ready = start()
if (!(await ready)) await end(1)
say('Development: open pages show each saved change, and the server restarts by itself. Ctrl+C ends both.\n')

const restart = async (file: string) => {
  const begun = performance.now()
  await server.stop()
  const isUp = await start()
  const how = isUp ? `restarted the server in ${Math.round(performance.now() - begun)} ms` : 'the server cannot start'
  say(`${file} changed: ${how}`)
  // Open pages still show data from the previous server.
  vite.environments.client.hot.send({ type: 'full-reload' })
  return isUp
}
watchSources(vite, packages, file => {
  ready = ready.then(async () => {
    const last = await file
    return endingSince === undefined && restart(last)
  })
})
