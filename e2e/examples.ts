import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { packInto } from './packed-package.ts'

// Builds and serves the applications in the folder examples, each with the packed widget.

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1' }
const npm = (args: string[], cwd: string) => run('npm', [...args, '--loglevel=error', '--no-audit', '--no-fund'], { cwd, env })

/** An application, and where it shows the widget. */
export type Example = {
  name: string
  /** The folder with `server.js`. */
  sources: string
  /** The folder with the built style sheets and, unless the framework has its own server, with all other files. */
  built: string
  path?: string
  /** The framework's own server, which renders the pages. */
  server?: Server
}

/** A program from the application's packages, and what it prints once it listens on the port from the environment. */
type Server = { program: string; args: string[]; ready: string }

export const examples: Example[] = [
  { name: 'plain-html', sources: '.', built: '.' },
  { name: 'vue', sources: 'src', built: 'dist' },
  { name: 'svelte', sources: 'src', built: 'dist' },
  { name: 'react-router', sources: 'src', built: 'dist', path: '/sign-in' },
  {
    name: 'react-router-framework',
    sources: 'app',
    built: 'build/client',
    server: { program: '@react-router/serve/dist/cli.js', args: ['build/server/index.js'], ready: '[react-router-serve]' },
  },
  { name: 'next', sources: 'app', built: '.next/static', server: { program: 'next/dist/bin/next', args: ['start'], ready: 'Ready' } },
]

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves files with the strictest policy under which the widget works. Unknown paths get the page, as a router expects. */
const serveFiles = async (folder: string, port: number, gatehouse: string) => {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src ${gatehouse} ${gatehouse.replace('http', 'ws')}`,
    "require-trusted-types-for 'script'",
  ].join('; ')
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = extname(pathname) === '' ? '/index.html' : pathname
    const body = await readFile(join(folder, file)).catch(() => undefined)
    if (!body) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy })
      .end(body)
  })
  await new Promise<void>(resolve => server.listen(port, 'localhost', resolve))
  return () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      // `close` would wait for a connection that Chromium opened but never used for a request.
      server.closeAllConnections()
    })
}

const startServer = async ({ program, args, ready }: Server, folder: string, port: number) => {
  const child = spawn(process.execPath, [join(folder, 'node_modules', program), ...args], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production', PORT: String(port) },
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk
        if (printed.includes(ready)) resolve()
      })
    child.on('exit', code => reject(new Error(`${program} ended with ${code}: ${printed}`)))
  })
  return async () => {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill()
    await ended
  }
}

/** Installs, builds and serves an example at `origin`. It uses the server at `gatehouse`. */
export const startExample = async ({ name, sources, built, server }: Example, origin: string, gatehouse: string) => {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-example-${name}-`))
  await cp(join(root, 'examples', name), folder, {
    recursive: true,
    filter: source => !/node_modules|\.next|\.react-router|dist$|build$|\.tgz$/.test(source),
  })
  const { protocol, hostname, port } = new URL(gatehouse)
  const address = `scheme: '${protocol.slice(0, -1)}', host: '${hostname}', port: ${port}`
  const file = join(folder, sources, 'server.js')
  await writeFile(file, (await readFile(file, 'utf8')).replace("scheme: 'http', host: 'localhost', port: 8080", address))
  if (name === 'plain-html') {
    for (const file of ['gatehouse-sign-in.js', 'gatehouse-sign-in.css'])
      await cp(join(root, 'packages/sign-in/dist/page', file), join(folder, file))
  } else {
    await packInto(folder, 'sign-in')
    await npm(['install', '--prefer-offline', '--no-package-lock'], folder)
    await npm(['run', 'build'], folder)
  }
  const at = Number(new URL(origin).port)
  const stop = server ? await startServer(server, folder, at) : await serveFiles(join(folder, built), at, gatehouse)
  return {
    styles: await readStyles(join(folder, built)),
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const readStyles = async (folder: string) => {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.css') && !name.includes('node_modules'))
  return (await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))).join('')
}
