import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { licenses } from '../sign-in/licenses.ts'
import { installed } from './build/installed.ts'

const here = import.meta.dirname

/** The code starts worker threads by the names of their source files. The package has one built file for each. */
const workers: Plugin = {
  name: 'workers',
  transform: {
    filter: { code: /new URL\('\.\/[\w-]+\.ts', import\.meta\.url\)/ },
    handler: code => code.replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)"),
  },
}

/** Optional parts of libraries, and the demo provider of `npm start`. The server works without them. */
const absent = ['bufferutil', 'oidc-provider', 'pg-native', 'utf-8-validate']

/** Bundles the server and most of its libraries into a few files for the package that operators install. */
export default defineConfig({
  input: {
    gatehouse: resolve(here, 'src/cli/cli.ts'),
    'hash-worker': resolve(here, 'src/passwords/hash-worker.ts'),
    'password-judge': resolve(here, 'src/passwords/password-judge.ts'),
    'test-server': resolve(here, 'src/testing/test-server.ts'),
  },
  platform: 'node',
  external: [...Object.keys(installed), ...absent].map(name => new RegExp(`^${name}($|/)`)),
  plugins: [workers, licenses(resolve(here, 'dist/licenses.json'))],
  output: { dir: resolve(here, 'dist/server'), chunkFileNames: '[name]-[hash].js', cleanDir: true, comments: false },
})
