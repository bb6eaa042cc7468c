// The version of a release. CHANGELOG.md states it, and every manifest must repeat it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of the first heading like `## [1.2.0] - 2027-03-01`; undefined while nothing is released. */
export const versionOf = changelog => /^## \[?(\d+\.\d+\.\d+(?:-[\w.]+)?)\]?/m.exec(changelog)?.[1]

/** The version of the project in a folder. Throws an error if a manifest's version differs from the changelog's. */
export const readVersion = root => {
  const read = file => readFileSync(join(root, file), 'utf8')
  const manifests = ['package.json', ...readdirSync(join(root, 'packages')).map(name => `packages/${name}/package.json`)]
  const versions = manifests.map(file => ({ file, version: JSON.parse(read(file)).version }))
  const released = versionOf(read('CHANGELOG.md')) ?? versions[0].version
  const others = versions.filter(({ version }) => version !== released)
  if (others.length > 0)
    throw new Error(
      `CHANGELOG.md says version ${released}. Write it into ${others.map(({ file, version }) => `${file} (${version})`).join(', ')}.`,
    )
  return released
}
