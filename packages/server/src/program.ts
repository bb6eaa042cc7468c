import { readFileSync } from 'node:fs'

/** Whether this process runs the sources of a clone, instead of the bundle of an installed package. */
export const fromSource = import.meta.filename.endsWith('.ts')

/** How the operator runs a command and starts the server, for messages. */
export const commandLine = fromSource ? 'npm run cli --' : 'gatehouse'
export const startCommand = fromSource ? 'npm start' : 'gatehouse start'

/** The version in the package's manifest. */
export const readVersion = (): string => {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.version
}
