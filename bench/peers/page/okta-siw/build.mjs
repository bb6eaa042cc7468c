import { build } from 'vite'

// The vendor's style sheet names many small pictures that this screen never shows: they stay files.
await build({ configFile: false, build: { assetsInlineLimit: 0 } })
