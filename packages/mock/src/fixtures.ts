import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The golden messages of the wire format. The build copies them next to the script. */
const folder = ['./fixtures/', '../../wire/fixtures/'].map(path => new URL(path, import.meta.url)).find(url => existsSync(url))
if (!folder) throw new Error('the golden messages are missing beside the script')

/** Messages by file name without `.json`. */
export const fixtures: ReadonlyMap<string, unknown> = new Map(
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => [file.slice(0, -5), JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown]),
)
