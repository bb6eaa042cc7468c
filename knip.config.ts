import type { KnipConfig } from 'knip'
import { pageShells } from './packages/portal/build/page-shells.ts'

/** Unused files, exports and dependencies. The pages' HTML files, which name their scripts, exist during a build only. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'scripts/*.{mjs,d.mts}',
        'docs/write-wire.ts',
        'bench/{timing,forward-auth,administration,server-peers,page,page-sites,scale}.ts',
      ],
      ignore: ['bench/peers/**', 'examples/**'],
      ignoreDependencies: ['@axe-core/playwright', '@biomejs/biome', '@node-rs/argon2', '@playwright/test'],
      ignoreBinaries: ['dpkg-deb', 'openssl', 'taskset'],
    },
    'packages/sign-in': {
      entry: ['page-script.ts', 'declarations.config.ts'],
    },
    'packages/ui': {
      includeEntryExports: true,
    },
    'packages/wire': {
      entry: ['build.config.ts'],
    },
    'packages/conformance': {
      entry: ['build.config.ts', 'src/cli.ts'],
    },
    'packages/mock': {
      entry: ['build.config.ts', 'src/cli.ts'],
      // build.config.ts imports it through packages/conformance, and the bundler resolves that import from this folder.
      ignoreDependencies: ['rolldown-plugin-dts'],
    },
    'packages/testing': {
      entry: ['build.config.ts'],
      // build.config.ts imports it through packages/conformance, and the bundler resolves that import from this folder.
      ignoreDependencies: ['rolldown-plugin-dts'],
    },
    'packages/portal': {
      entry: [
        'src/*.{ts,tsx}',
        ...Object.values(pageShells).map(({ script }) => script.replace('./', '')),
        'gallery/{gallery,frame}.tsx',
        'gallery/vite.config.ts',
        'dev/dev.ts',
      ],
    },
    'packages/server': {
      entry: [
        'bin/*.cjs',
        'build.config.ts',
        'build/write-configuration.ts',
        'src/main.ts',
        'src/cli/cli.ts',
        'src/cli/brand-preview.ts',
        'test/support/flood-client.ts',
      ],
      // A build creates this file.
      ignoreUnresolved: ['../server/gatehouse.js'],
      ignoreDependencies: ['@types/ws'],
      ignoreBinaries: ['mkfifo', 'mount', 'openssl', 'systemd-analyze', 'umount'],
    },
    e2e: {
      entry: ['*.spec.ts', 'protecting-names.ts', 'write-api.ts'],
      ignoreBinaries: ['openssl', 'unshare'],
    },
  },
}

export default config
