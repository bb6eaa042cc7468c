import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Compresses the assets at build time, so that Brotli can use its slowest level. */
export const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const assets = join(dir, 'assets')
    for (const name of await readdir(assets)) {
      const bytes = await readFile(join(assets, name))
      await writeFile(join(assets, `${name}.br`), brotliCompressSync(bytes))
      await writeFile(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}
