import { join } from 'node:path'

const server = join(import.meta.dirname, '../..')

/**
 * Whether tests run the bundle, which loads in a third of the processor time of the sources. The commands that run whole suites build it
 * and set the variable. Without the variable, the bundle may be older than the sources.
 */
const bundled = process.env.GATEHOUSE_TEST_PROGRAM === 'bundle'
const bundle = join(server, 'dist/server/gatehouse.js')

/** The arguments with which Node starts the server, and runs a command. */
export const serverArguments = bundled ? [bundle, 'start'] : [join(server, 'src/main.ts')]
export const commandArguments = [bundled ? bundle : join(server, 'src/cli/cli.ts')]

/** The name of the program in its own messages. */
export const startCommand = bundled ? 'gatehouse start' : 'npm start'
export const commandLine = bundled ? 'gatehouse' : 'npm run cli --'
