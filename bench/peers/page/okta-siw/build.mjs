import { build } from 'vite'

// Keep images as files: the style sheet refers to many that this screen does not show.
await build({ configFile: false, build: { assetsInlineLimit: 0 } })
