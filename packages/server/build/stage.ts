// Completes the package in `dist` after the bundler: the command, the built pages, the manifest, and the licenses of all bundled libraries.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licensesText, type Notice } from '../../sign-in/licenses.ts'
import manifest from '../package.json' with { type: 'json' }
import { installed } from './installed.ts'

const server = join(import.meta.dirname, '..')
const dist = join(server, 'dist')
const pages = join(server, '../portal/dist')

for (const folder of ['bin', 'systemd', 'recipes', 'server/pages', 'translations'])
  rmSync(join(dist, folder), { recursive: true, force: true })
for (const folder of ['bin', 'systemd']) cpSync(join(server, folder), join(dist, folder), { recursive: true })
// Recipes, for operators who have no clone of the repository.
for (const folder of ['getting-started', 'protecting', 'observability'])
  cpSync(join(server, '../../docs', folder), join(dist, 'recipes', folder), { recursive: true, filter: file => !/\.(md|webp)$/.test(file) })
cpSync(join(pages, 'client'), join(dist, 'server/pages/client'), { recursive: true })
cpSync(join(pages, 'render.js'), join(dist, 'server/pages/render.js'))
// The bundled @gatehouse/language reads `../translations`, relative to `server`.
cpSync(join(server, '../language/translations'), join(dist, 'translations'), { recursive: true })
cpSync(join(server, 'build/package-readme.md'), join(dist, 'README.md'))

const notices = [join(dist, 'licenses.json'), join(pages, 'licenses-client.json'), join(pages, 'licenses-server.json')].flatMap(
  (file): Notice[] => JSON.parse(readFileSync(file, 'utf8')),
)
writeFileSync(join(dist, 'LICENSES.txt'), licensesText(notices))

const { name, version, description, type } = manifest
const packed = {
  name,
  version,
  private: true,
  description,
  license: 'UNLICENSED',
  type,
  // Only @gatehouse/testing starts it.
  exports: { './test-server': './server/test-server.js', './package.json': './package.json' },
  bin: { gatehouse: 'bin/gatehouse.cjs' },
  files: ['bin', 'server', 'systemd', 'recipes', 'translations', 'LICENSES.txt'],
  // Since Node 24.9, a server can choose which protocol upgrades it accepts.
  engines: { node: '>=24.9' },
  dependencies: installed,
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
